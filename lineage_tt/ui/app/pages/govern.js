/** What lineage is for: labels, rules, promises, causes, worth, quality. One address a question; each is a module of its own. */
import { html, useEffect, useState } from "../lib.js";
import { AsOf } from "../parts/asof.js";
import { Loading } from "../parts/states.js";
import { hrefTo, state } from "../state.js";
import { t } from "../texts.js";

/** @type {Record<string, () => Promise<any>>} */
const VIEWS = {
  labels: () => import("./govern/labels.js"),
  rules: () => import("./govern/rules.js"),
  core: () => import("./govern/core.js"),
  cause: () => import("./govern/cause.js"),
  worth: () => import("./govern/worth.js"),
  quality: () => import("./govern/quality.js"),
};

export function Page() {
  const view = Object.hasOwn(VIEWS, state.value.view || "") ? state.value.view : "labels";
  const [shown, setShown] = useState(/** @type {{view: string, View: any}} */ ({ view: "", View: null }));
  useEffect(() => {
    let left = false;
    VIEWS[view]().then((found) => left || setShown({ view, View: found.View }));
    return () => { left = true; };
  }, [view]);
  return html`<div class="page page-govern">
    <div class="head"><div class="head-name"><h1>${t(`govern.${view}`)}</h1><p class="note">${t(`govern.${view}.what`)}</p></div><${AsOf} /></div>
    <nav class="tabs" aria-label=${t("nav.govern")}><ul>${Object.keys(VIEWS).map((name) => html`<li><a href=${hrefTo("govern", { view: name, node: ["labels", "cause", "core"].includes(name) ? state.value.node : null })} aria-current=${name === view ? "page" : undefined}>${t(`govern.${name}`)}</a></li>`)}</ul></nav>
    ${shown.view === view ? html`<${shown.View} />` : html`<${Loading} />`}
  </div>`;
}
