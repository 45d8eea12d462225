/** What is around every page: skip link, header with search and navigation, settings, the place where pages go. */
import { session, signOut } from "../api.js";
import { html, useEffect, useRef } from "../lib.js";
import { arrivals, go, hrefTo, language, page, state, theme, zone } from "../state.js";
import { t } from "../texts.js";
import { zoneName } from "../times.js";
import { Announcer } from "./announce.js";
import { Search } from "./search.js";

const LINKS = ["home", "changes", "impact", "govern", "health"];

/** @param {{children: any, bare: boolean}} props   bare: nobody has signed in, so there is nothing to go to */
export function Frame({ children, bare }) {
  const main = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    const arrived = () => main.current?.focus({ preventScroll: true });
    arrivals.add(arrived);
    return () => {
      arrivals.delete(arrived);
    };
  }, []);
  useEffect(() => {
    const subject = state.value.node || state.value.task;
    document.title = `${subject ? `${subject} · ` : ""}${t(`nav.${page.value}`)} · lineage_tt`;
  });
  const skip = (event) => {
    event.preventDefault();
    main.current?.focus();
  };
  return html`
    <a class="skip" href="#main" onClick=${skip}>${t("frame.skip")}</a>
    <header class="top">
      <a class="brand" href=${hrefTo("home", { at: null })}><img src="/ui/icon.svg" alt="" width="20" height="20" /><span>lineage_tt</span></a>
      ${
        bare
          ? null
          : html`
        <nav aria-label=${t("frame.nav")}><ul>${LINKS.map((name) => html`<li><a href=${hrefTo(name)} aria-current=${page.value === name ? "page" : undefined}>${t(`nav.${name}`)}</a></li>`)}</ul></nav>
        ${page.value === "home" ? html`<span class="grow"></span>` : html`<div class="top-search"><${Search} label=${t("search.label")} placeholder=${t("search.short")} shortcut onPick=${openFound} /></div>`}`
      }
      <${Settings} bare=${bare} />
    </header>
    <main id="main" ref=${main} tabindex="-1">${children}</main>
    <${Announcer} />`;
}

/** Show what was found in a search. @param {{kind: string, subject: string}} found */
export function openFound(found) {
  go(found.kind === "task" ? hrefTo("task", { task: found.subject }) : hrefTo("node", { node: found.subject }));
}

function Settings({ bare }) {
  const menu = useRef(/** @type {HTMLDetailsElement | null} */ (null));
  useEffect(() => {
    const close = (event) => {
      const open = menu.current;
      if (!open?.open) return;
      if (event.type === "keydown" ? event.key === "Escape" : !open.contains(event.target)) {
        open.open = false;
        if (event.type === "keydown") open.querySelector("summary")?.focus();
      }
    };
    addEventListener("click", close);
    addEventListener("keydown", close);
    return () => {
      removeEventListener("click", close);
      removeEventListener("keydown", close);
    };
  }, []);
  return html`<details class="settings" ref=${menu}><summary aria-label=${t("settings.title")} title=${t("settings.title")}><svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path d="M2 4.500h7M13 4.500h1M2 11.500h1M7 11.500h7" /><circle cx="11" cy="4.500" r="1.700" /><circle cx="5" cy="11.500" r="1.700" /></svg></summary>
    <div class="card settings-card">
      <${Setting} title=${t("settings.theme")} of=${theme} options=${[["auto", t("settings.auto")], ["light", t("settings.light")], ["dark", t("settings.dark")]]} />
      <${Setting} title=${t("settings.language")} of=${language} options=${[["en", "English"], ["zh", "中文"]]} />
      <${Setting} title=${t("settings.zone")} of=${zone} options=${[["local", t("settings.local")], ["UTC", "UTC"]]} />
      <p class="quiet">${t("settings.zone.now", { zone: zoneName() })}</p>
      ${!bare && session.value?.needed ? html`<button type="button" class="button" onClick=${signOut}>${t("signin.out")}</button>` : null}
    </div></details>`;
}

/** A few buttons of which one holds. @param {{title: string, of: {value: {value: string}, choose: (value: string) => void}, options: string[][]}} props */
function Setting({ title, of, options }) {
  return html`<fieldset><legend>${title}</legend><div class="segmented">${options.map(([value, name]) => html`<button type="button" aria-pressed=${of.value.value === value ? "true" : "false"} onClick=${() => of.choose(value)}>${name}</button>`)}</div></fieldset>`;
}
