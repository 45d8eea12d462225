/** Choosing the node that a page is about. */
import { html } from "../lib.js";
import { set } from "../state.js";
import { t } from "../texts.js";
import { Search } from "./search.js";

/** A search that fills `node` of this address. @param {{label: string}} props */
export function Pick({ label }) {
  return html`<div class="pick"><${Search} label=${label} placeholder=${t("govern.pick")} onPick=${(found) => found.kind !== "task" && set({ node: found.subject })} /></div>`;
}
