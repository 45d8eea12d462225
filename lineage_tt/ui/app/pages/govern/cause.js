/** What changed upstream of a node before it went wrong, the likeliest first, and whom it reaches. */
import { useAnswer } from "../../api.js";
import { html } from "../../lib.js";
import { Chip, Name, Task } from "../../parts/names.js";
import { Pick } from "../../parts/pick.js";
import { Answer, Completeness, Empty, TooLarge } from "../../parts/states.js";
import { pointParams } from "../../points.js";
import { at, hrefTo, set, state } from "../../state.js";
import { number, plain, t } from "../../texts.js";
import { Time } from "../../times.js";

/** So many edges of a suspect are listed. */
const MAX_EDGES = 40;
const WINDOWS = ["-3d", "-7d", "-14d", "-30d", "-90d"];

export function CauseView() {
  const { node = "", window = "-14d" } = state.value;
  const answer = useAnswer(node ? "/v1/root-cause" : null, { node, since: window, limit: 10, ...pointParams(at.value) });
  return html`<${Pick} label=${t("cause.pick")} />
    <fieldset class="row"><legend class="sr-only">${t("cause.window")}</legend><span class="quiet">${t("cause.window")}</span><div class="segmented">${WINDOWS.map((each) => html`<button type="button" aria-pressed=${each === window ? "true" : "false"} onClick=${() => set({ window: each })}>${t("cause.days", { n: Number(each.slice(1, -1)) })}</button>`)}</div></fieldset>
    ${node ? html`<section aria-labelledby="cause"><h2 id="cause"><${Name} of=${node} /></h2><${Answer} of=${answer}>${(data) => html`<${Found} of=${data.result} /><${Completeness} of=${data.completeness} notes=${data.result.notes} />`}</></section>` : html`<${Empty} title=${t("cause.which")} hint=${t("cause.which.hint")} />`}`;
}

/** @param {{of: any}} props */
function Found({ of }) {
  const most = Math.max(0.001, ...of.suspects.map((each) => each.score.total));
  const failed = of.checks.filter((check) => check.status === "failed");
  return html`
    ${failed.map((check) => html`<p class="bad" role="note">${t("cause.check", { check: check.check })} <${Name} of=${check.node} /> <${Time} at=${check.since} /></p>`)}
    ${of.suspects.length ? html`<ol class="suspects">${of.suspects.map((each, place) => html`<li key=${each.version} class="card"><${Suspect} of=${each} place=${place + 1} most=${most} /></li>`)}</ol>` : html`<${Empty} title=${t("cause.none")} hint=${t("cause.none.hint")} />`}
    ${of.omitted ? html`<p class="note">${t("cause.omitted", { n: of.omitted })}</p>` : null}
    ${of.boards.length ? html`<section><h3>${t("cause.feeds")}</h3><ul class="list">${of.boards.map((board) => html`<li class="row"><${Name} of=${board.dataset} />${board.owners.map((owner) => html`<${Chip}>${owner}</>`)}<span class="quiet">${t("n.steps", { n: board.steps })}</span></li>`)}</ul></section>` : null}`;
}

/** @param {{of: any, place: number, most: number}} props */
function Suspect({ of, place, most }) {
  const flags = ["late", "planned", "corrected", "known_only_later"].filter((flag) => of[flag]);
  const edges = [...of.removed.map((edge) => ["−", "remove", edge]), ...of.added.map((edge) => ["+", "add", edge])];
  return html`<p class="row"><b>${place}.</b> ${of.kind === "task" ? html`<${Task} of=${of.subject} />` : html`<${Name} of=${of.subject} />`} <span>${t(`cause.class.${of.class}`)}</span><span class="quiet"><${Time} at=${of.effective_at} /></span>${flags.map((flag) => html`<${Chip} tone="warn">${t(`cause.${flag}`)}</>`)}<span class="grow"></span><span class="score" title=${t("cause.score")}><span class="score-bar" style=${{ width: `${(100 * of.score.total) / most}%` }}></span></span><span class="quiet">${number(of.score.total, 2)}</span></p>
    <p class="note">v${of.version}${of.actor ? html` · <b>${plain(of.actor)}</b>` : null}${of.reason ? html`: <bdi>${plain(of.reason)}</bdi>` : null}${of.known_at && of.known_only_later ? html` · ${t("cause.known")} <${Time} at=${of.known_at} />` : null}</p>
    ${of.checks_failed.map((check) => html`<p class="bad">${t("cause.check.since", { check: check.check })}</p>`)}
    ${edges.length ? html`<details><summary>${t("n.edges", { n: edges.length })}</summary><ul class="edges">${edges.slice(0, MAX_EDGES).map(([sign, tone, edge]) => html`<li><span class=${tone}>${sign}</span> <span class="mono">${edge.source} → ${edge.target}</span> <span class="quiet">${edge.subtype} ${edge.expression}</span></li>`)}</ul>${edges.length > MAX_EDGES ? html`<${TooLarge} shown=${MAX_EDGES} total=${edges.length} />` : null}</details>` : null}
    ${of.kind === "task" ? html`<p><a href=${hrefTo("task", { task: of.subject })}>${t("cause.versions")}</a></p>` : null}`;
}
