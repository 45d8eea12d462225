/** Taking answers away: CSV files, links that never change, the clipboard. */
import { html, useState } from "../lib.js";
import { basisWord } from "../points.js";
import { hrefWith } from "../state.js";
import { t } from "../texts.js";
import { announce } from "./announce.js";

/**
 * RFC 4180 text. A field that a spreadsheet would take for a formula gets a leading apostrophe: names come from anywhere.
 * @param {string[]} head @param {unknown[][]} rows
 */
export function csvOf(head, rows) {
  return [head, ...rows].map((row) => row.map(csvField).join(",")).join("\r\n") + "\r\n";
}

/** @param {unknown} value */
function csvField(value) {
  let text = value === null || value === undefined ? "" : String(value);
  if (typeof value !== "number" && /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(text)) text = `'${text}`;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Hand a file to the browser. @param {string} name @param {string | Blob} content @param {string} type */
export function download(name, content, type = "text/csv;charset=utf-8") {
  const link = document.createElement("a");
  // A spreadsheet reads UTF-8 only after its mark.
  link.href = URL.createObjectURL(content instanceof Blob ? content : new Blob([type.startsWith("text/csv") ? "\ufeff" : "", content], { type }));
  link.download = name.replace(/[^\w.-]+/g, "_");
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** @param {string} text @returns {Promise<boolean>} whether the browser allowed it */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false; // no permission, or a page without TLS
  }
}

/** Copies this page's address with its version and time pinned: it shows the same for ever. @param {{basis: any, changes?: Record<string, unknown>}} props */
export function CopyLink({ basis, changes }) {
  const [shown, setShown] = useState("");
  if (!basis) return null;
  const copy = async () => {
    const link = location.origin + hrefWith(changes || { at: basisWord(basis) });
    const done = await copyText(link);
    setShown(done ? "" : link);
    announce(t(done ? "link.copied" : "link.byhand"));
    if (done) setShown("✓");
  };
  return html`<span class="row"><button type="button" class="button" onClick=${copy} title=${t("link.hint")}>${shown === "✓" ? t("link.copied") : t("link.copy")}</button>
    ${shown && shown !== "✓" ? html`<input readonly value=${shown} aria-label=${t("link.byhand")} onFocus=${(event) => event.target.select()} />` : null}</span>`;
}
