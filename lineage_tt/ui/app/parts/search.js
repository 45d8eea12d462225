/** Search as you type: a combobox after the ARIA pattern; the list is the service's, best first. */
import { get } from "../api.js";
import { html, useEffect, useName, useRef, useState } from "../lib.js";
import { t } from "../texts.js";
import { Name } from "./names.js";
import { Completeness } from "./states.js";

const PAUSE_MS = 80;

/**
 * @param {{label: string, placeholder?: string, kind?: string, shortcut?: boolean, large?: boolean, focus?: boolean,
 *   onPick: (found: {name: string, kind: string, subject: string}) => void}} props
 */
export function Search({ label, placeholder, kind, shortcut, large, focus, onPick }) {
  const name = useName("search");
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  const [text, setText] = useState("");
  const [found, setFound] = useState(/** @type {any} */ ({ rows: null, problem: null, of: "" }));
  const [active, setActive] = useState(-1);
  const [open, setOpen] = useState(false);
  const wanted = text.trim();

  useEffect(() => {
    if (!wanted) {
      setFound({ rows: null, problem: null, of: "" });
      return undefined;
    }
    const abort = new AbortController();
    const timer = setTimeout(async () => {
      const answer = await get("/v1/search", { q: wanted, kind, limit: 20 }, { signal: abort.signal });
      if (abort.signal.aborted) return;
      setFound(
        answer.ok ? { rows: answer.data.result, notes: answer.data.notes, problem: null, of: wanted } : { rows: null, problem: answer.problem, of: wanted },
      );
      setActive(-1);
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [wanted, kind]);

  useEffect(() => {
    if (focus) input.current?.focus({ preventScroll: true });
    if (!shortcut) return undefined;
    const key = (event) => {
      const at = event.target;
      const typing = at instanceof HTMLElement && (at.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName));
      if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      input.current?.focus();
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  }, []);

  const rows = found.rows || [];
  const pick = (row) => {
    setOpen(false);
    setText("");
    input.current?.blur();
    onPick(row);
  };
  const key = (event) => {
    if (event.isComposing) return; // an input method is at work: Enter is its own
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && rows.length) {
      event.preventDefault();
      setOpen(true);
      setActive((at) => (at + step + rows.length + (at < 0 && step < 0 ? 1 : 0)) % rows.length);
    } else if (event.key === "Enter" && rows.length && found.of === wanted) {
      event.preventDefault();
      pick(rows[Math.max(active, 0)]);
    } else if (event.key === "Escape") {
      if (open && wanted) setOpen(false);
      else setText("");
    }
  };
  useEffect(() => {
    if (active >= 0) document.getElementById(`${name}-${active}`)?.scrollIntoView({ block: "nearest" });
  }, [active]);

  const shown = open && Boolean(wanted) && (found.rows !== null || found.problem);
  return html`<div class=${`search ${large ? "large" : ""}`} role="search" aria-label=${label} onFocusOut=${(event) => event.currentTarget.contains(event.relatedTarget) || setOpen(false)}>
    <input ref=${input} type="text" role="combobox" aria-label=${label} placeholder=${placeholder} value=${text} autocomplete="off" autocapitalize="off" spellcheck=${false} maxlength="200"
      aria-expanded=${shown ? "true" : "false"} aria-controls=${`${name}-list`} aria-autocomplete="list" aria-activedescendant=${shown && active >= 0 ? `${name}-${active}` : undefined}
      onInput=${(event) => {
        setText(event.target.value);
        setOpen(true);
      }} onFocus=${() => setOpen(true)} onKeyDown=${key} />
    ${shortcut ? html`<kbd aria-hidden="true">/</kbd>` : null}
    <div class="search-list card" hidden=${!shown}>
      <ul id=${`${name}-list`} role="listbox" aria-label=${label}>${rows.map(
        (row, at) => html`
        <li key=${row.kind + row.name + row.subject} id=${`${name}-${at}`} role="option" aria-selected=${at === active ? "true" : "false"} onMouseDown=${(event) => event.preventDefault()} onClick=${() => pick(row)}>
          <span class="search-name">${row.kind === "column" || row.kind === "dataset" ? html`<${Name} of=${row.subject} link=${false} />` : html`<span class=${row.kind === "task" ? "mono" : ""}>${row.name}</span>`}
            ${row.name !== row.subject && row.kind !== "task" ? html` <span class="quiet mono">${row.subject}</span>` : null}</span>
          <span class="chip">${t(`kind.${row.kind}`)}</span></li>`,
      )}</ul>
      ${found.problem ? html`<p class="search-none">${found.problem.detail || found.problem.title}</p>` : null}
      ${found.rows && !rows.length ? html`<p class="search-none">${t("search.none", { text: found.of })}</p>` : null}
      ${rows.length ? html`<${Completeness} notes=${found.notes} />` : null}
    </div>
    <span class="sr-only" role="status">${shown && found.rows ? t("search.count", { n: rows.length }) : ""}</span>
  </div>`;
}
