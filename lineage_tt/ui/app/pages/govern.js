/** What lineage is for: labels, rules, promises, causes, worth, quality. One address a question; each is a module of its own. */
import { html } from "../lib.js";
import { AsOf } from "../parts/asof.js";
import { hrefTo, state } from "../state.js";
import { t } from "../texts.js";
import { View as Cause } from "./govern/cause.js";
import { View as Core } from "./govern/core.js";
import { View as Labels } from "./govern/labels.js";
import { View as Quality } from "./govern/quality.js";
import { View as Rules } from "./govern/rules.js";
import { View as Worth } from "./govern/worth.js";

const VIEWS = { labels: Labels, rules: Rules, core: Core, cause: Cause, worth: Worth, quality: Quality };

export function Page() {
  const view = /** @type {keyof typeof VIEWS} */ (Object.hasOwn(VIEWS, state.value.view || "") ? state.value.view : "labels");
  return html`<div class="page page-govern">
    <div class="head"><div class="head-name"><h1>${t(`govern.${view}`)}</h1><p class="note">${t(`govern.${view}.what`)}</p></div><${AsOf} /></div>
    <nav class="tabs" aria-label=${t("nav.govern")}><ul>${Object.keys(VIEWS).map((name) => html`<li><a href=${hrefTo("govern", { view: name, node: ["labels", "cause", "core"].includes(name) ? state.value.node : null })} aria-current=${name === view ? "page" : undefined}>${t(`govern.${name}`)}</a></li>`)}</ul></nav>
    <${VIEWS[view]} key=${view} />
  </div>`;
}
