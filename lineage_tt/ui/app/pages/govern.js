/** What lineage is for: labels, rules, promises, causes, worth, quality. One address a question; each is a module of its own. */
import { html } from "../lib.js";
import { AsOf } from "../parts/asof.js";
import { hrefTo, state } from "../state.js";
import { t } from "../texts.js";
import { CauseView } from "./govern/cause.js";
import { CoreView } from "./govern/core.js";
import { LabelsView } from "./govern/labels.js";
import { QualityView } from "./govern/quality.js";
import { RulesView } from "./govern/rules.js";
import { WorthView } from "./govern/worth.js";

const VIEWS = { labels: LabelsView, rules: RulesView, core: CoreView, cause: CauseView, worth: WorthView, quality: QualityView };

export function Page() {
  const view = /** @type {keyof typeof VIEWS} */ (Object.hasOwn(VIEWS, state.value.view || "") ? state.value.view : "labels");
  return html`<div class="page page-govern">
    <div class="head"><div class="head-name"><h1>${t(`govern.${view}`)}</h1><p class="note">${t(`govern.${view}.what`)}</p></div><${AsOf} /></div>
    <nav class="tabs" aria-label=${t("nav.govern")}><ul>${Object.keys(VIEWS).map((name) => html`<li><a href=${hrefTo("govern", { view: name, node: ["labels", "cause", "core"].includes(name) ? state.value.node : null })} aria-current=${name === view ? "page" : undefined}>${t(`govern.${name}`)}</a></li>`)}</ul></nav>
    <${VIEWS[view]} key=${view} />
  </div>`;
}
