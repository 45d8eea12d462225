/** Home: search, browse by namespace and database, what has changed, what is planned. */
import { useAnswer } from "../api.js";
import { html } from "../lib.js";
import { openFound } from "../parts/frame.js";
import { Name, namespaceOf, Task } from "../parts/names.js";
import { Search } from "../parts/search.js";
import { Answer, Empty, TooLarge } from "../parts/states.js";
import { at, hrefTo, hrefWith, state } from "../state.js";
import { plain, t } from "../texts.js";
import { Time } from "../times.js";
import { changeOf, PlusMinus } from "./feed.js";

const RECENT = 8;
const PAGE = 200;

export function Page() {
  const stats = useAnswer("/v1/stats");
  return html`<div class="page page-home">
    <section class="hero">
      <h1>${t("home.title")}</h1>
      <${Search} label=${t("search.label")} placeholder=${t("search.long")} large shortcut onPick=${openFound} />
      <p class="quiet">${stats.data ? figures(stats.data) : "\u00a0"}</p>
    </section>
    <div class="columns">
      <section class="wide" aria-labelledby="home-browse"><h2 id="home-browse">${t("home.browse")}</h2><${Browse} /></section>
      <div class="side">
        <section aria-labelledby="home-recent"><div class="bar"><h2 id="home-recent">${t("home.recent")}</h2><span class="grow"></span><a href=${hrefTo("changes")}>${t("home.all")}</a></div>
          ${stats.data ? html`<${Recent} version=${stats.data.basis.version} />` : null}</section>
        <section aria-labelledby="home-planned"><h2 id="home-planned">${t("home.planned")}</h2><${Planned} /></section>
      </div>
    </div>
  </div>`;
}

/** @param {any} answer */
function figures(answer) {
  const { graph, store } = answer.result;
  const newest = answer.basis.system_time;
  return html`${graph ? t("home.figures", { datasets: graph.datasets, tasks: graph.tasks, n: store.versions }) : ""}${graph && newest ? " · " : ""}${newest ? html`${t("home.newest")} <${Time} at=${newest} />` : ""}`;
}

function Browse() {
  const under = state.value.under || "";
  const from = state.value.cursor || "";
  const listed = useAnswer("/v1/datasets", { under, at: at.value, limit: PAGE, cursor: from });
  const steps = stepsOf(under);
  return html`
    <nav aria-label=${t("home.path")}><ol class="path"><li>${under ? html`<a href=${hrefWith({ under: null, cursor: null })}>${t("home.everything")}</a>` : html`<span aria-current="true">${t("home.everything")}</span>`}</li>
      ${steps.map((step, index) => html`<li>${index === steps.length - 1 ? html`<span class="mono" aria-current="true">${step.name}</span>` : html`<a class="mono" href=${hrefWith({ under: step.under, cursor: null })}>${step.name}</a>`}</li>`)}</ol></nav>
    <${Answer} of=${listed}>${(answer) => {
      const { entries, total } = answer.result;
      if (!entries.length)
        return html`<${Empty} title=${t("home.empty")} hint=${under || at.value ? t("home.empty.under") : t("home.empty.hint")}>${under || at.value ? html`<a class="button" href=${hrefTo("home", { at: null })}>${t("home.everything")}</a>` : null}</>`;
      return html`<ul class="browse">${entries.map(
        (entry) => html`<li key=${entry.name}>
        ${entry.under !== null ? html`<a class="browse-folder" href=${hrefWith({ under: entry.under, cursor: null })}><span class="mono">${entry.name}</span><span class="quiet">${t("home.datasets", { n: entry.datasets })}</span></a>` : null}
        ${entry.dataset !== null ? html`<a class="browse-leaf" href=${hrefTo("node", { node: entry.dataset })}><span class="mono">${entry.name}</span></a>` : null}</li>`,
      )}</ul>
      ${
        answer.next_cursor || from
          ? html`<${TooLarge} shown=${entries.length} total=${total}>
        ${from ? html`<a class="button" href=${hrefWith({ cursor: null })}>${t("home.first")}</a>` : null} ${answer.next_cursor ? html`<a class="button" href=${hrefWith({ cursor: answer.next_cursor })}>${t("home.next")}</a>` : null}</>`
          : null
      }`;
    }}</>`;
}

/** "hive:dws." is the steps "hive" and "dws", each with what to ask for. @param {string} under */
export function stepsOf(under) {
  if (!under) return [];
  const namespace = namespaceOf(under) || under;
  const rest = under.slice(namespace.length);
  const steps = [{ name: namespace.replace(/:$/, ""), under: namespace }];
  let so = namespace;
  for (const part of rest.match(/[^./]+[./]?/g) || []) {
    so += part;
    steps.push({ name: part.replace(/[./]$/, ""), under: so });
  }
  return steps;
}

/** @param {{version: number}} props */
function Recent({ version }) {
  const answer = useAnswer(version ? "/v1/changes" : null, { after: Math.max(0, version - RECENT), limit: RECENT });
  if (!version) return html`<${Empty} title=${t("changes.none")} hint=${t("home.empty.hint")} />`;
  return html`<${Answer} of=${answer}>${(page) => html`<ul class="feed">${[...page.result]
    .reverse()
    .map(changeOf)
    .map(
      (change) => html`<li key=${change.version}>
      <div class="row">${change.kind === "task" && change.task ? html`<${Task} of=${change.task} />` : change.node ? html`<${Name} of=${change.node} />` : html`<span class="mono">${change.task}</span>`}
        <${PlusMinus} plus=${change.plus} minus=${change.minus} /><span class="grow"></span><span class="quiet"><${Time} at=${change.known} precision="day" /></span></div>
      <p class="quiet clip"><bdi>${plain(change.reason) || t(`op.${change.op}`)}</bdi>${change.actor ? html` · <bdi>${plain(change.actor)}</bdi>` : ""}</p></li>`,
    )}</ul>
      ${page.more ? html`<p class="note">${t("home.recent.more")}</p>` : null}
      ${page.result.length ? null : html`<${Empty} title=${t("changes.none")} />`}`}</>`;
}

function Planned() {
  const answer = useAnswer("/v1/planned", { limit: 20 });
  return html`<${Answer} of=${answer}>${(page) =>
    page.result.length === 0
      ? html`<p class="quiet none">${t("home.planned.none")}</p>`
      : html`<ul class="feed planned">${page.result.map(
          (plan) => html`<li key=${plan.valid_at + plan.task_id}>
      <div class="row"><${Task} of=${plan.task_id} /><${PlusMinus} plus=${plan.begins} minus=${plan.ends} /><span class="grow"></span>
      <a href=${hrefTo("task", { task: plan.task_id, at: plan.valid_at })}><${Time} at=${plan.valid_at} /></a></div></li>`,
        )}</ul>${page.next_offset ? html`<${TooLarge} shown=${page.result.length} />` : null}`}</>`;
}
