/** A picture that does not move, for pages that show one beside their tables: drawn once, as it would be saved. */
import { html, useEffect, useMemo, useRef } from "../lib.js";
import { dark } from "../state.js";
import { svgOf } from "./export.js";
import { modelOf, shownAt } from "./model.js";

/**
 * @param {{drawn: any, label: string, compared?: boolean, marks?: Record<string, {ink: string, sign: string}>}} props
 *   `drawn` in the form of `/v1/layout`; `compared` marks what comes and goes, `marks` says how boxes with a `mark` look
 */
export function Still({ drawn, label, compared = false, marks }) {
  const holder = useRef(/** @type {HTMLElement | null} */ (null));
  const model = useMemo(() => modelOf({ basis: [], completeness: [], result: drawn }, compared), [drawn, compared]);
  useEffect(() => {
    const here = /** @type {HTMLElement} */ (holder.current);
    here.replaceChildren(svgOf(model, shownAt(model, -1), here, { compared, marks, foot: [], title: label }));
  }, [model, label, dark.value]);
  return html`<div class="still" role="group" tabindex="0" aria-label=${label} ref=${holder}></div>`;
}
