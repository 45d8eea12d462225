/** Starts the pages: texts and session first, then the page that the address names. */
import { loadSession, session } from "./api.js";
import { html, render, useEffect, useState } from "./lib.js";
import { Frame } from "./parts/frame.js";
import { SignIn } from "./parts/signin.js";
import { Empty, Loading } from "./parts/states.js";
import { applySettings, followLinks, hrefTo, page } from "./state.js";
import { loadTexts, t } from "./texts.js";

/** Each page is a module of its own, loaded when it is first shown; it exports `Page`. @type {Record<string, () => Promise<any>>} */
const PAGES = {
  home: () => import("./pages/home.js"),
  graph: () => import("./pages/graph.js"),
  node: () => import("./pages/node.js"),
  task: () => import("./pages/task.js"),
  changes: () => import("./pages/changes.js"),
  impact: () => import("./pages/impact.js"),
  govern: () => import("./pages/govern.js"),
  health: () => import("./pages/health.js"),
};

function App() {
  if (session.value === null) return html`<${Loading} />`;
  const locked = session.value.needed && !session.value.held;
  return html`<${Frame} bare=${locked}>${locked ? html`<${SignIn} />` : html`<${Current} />`}</>`;
}

function Current() {
  const name = page.value;
  const [shown, setShown] = useState(/** @type {{name: string, Page: any}} */ ({ name: "", Page: null }));
  useEffect(() => {
    let left = false;
    const load = Object.hasOwn(PAGES, name) ? PAGES[name] : null;
    if (!load) setShown({ name, Page: Unknown });
    else
      load().then(
        (found) => left || setShown({ name, Page: found.Page }),
        () => left || setShown({ name, Page: Broken }),
      );
    return () => {
      left = true;
    };
  }, [name]);
  return shown.name === name && shown.Page ? html`<${shown.Page} />` : html`<div class="page"><${Loading} /></div>`;
}

function Unknown() {
  return html`<div class="page"><h1>${t("page.unknown")}</h1><${Empty} title=${t("page.unknown.what")}><a class="button" href=${hrefTo("home")}>${t("nav.home")}</a></></div>`;
}

function Broken() {
  return html`<div class="page"><h1>${t("page.broken")}</h1><${Empty} title=${t("page.broken.what")}><button class="button" onClick=${() => location.reload()}>${t("do.reload")}</button></></div>`;
}

applySettings();
followLinks();
if (Object.hasOwn(PAGES, page.value)) PAGES[page.value]().catch(() => {}); // it loads beside the texts; Current says what failed
await Promise.all([loadTexts(), loadSession()]);
render(html`<${App} />`, /** @type {Element} */ (document.getElementById("app")));
