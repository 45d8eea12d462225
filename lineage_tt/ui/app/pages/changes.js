/** The feed: what each version changed, newest first, live; filters; subscriptions. */
import { del, get, mayWrite, post, useAnswer } from "../api.js";
import { html, useEffect, useMemo, useState } from "../lib.js";
import { announce } from "../parts/announce.js";
import { EdgeTable } from "../parts/edges.js";
import { Chip, Name, Task } from "../parts/names.js";
import { Answer, Completeness, Empty, Failed, Loading } from "../parts/states.js";
import { set, state } from "../state.js";
import { number, plain, t } from "../texts.js";
import { Time } from "../times.js";
import { changeOf, changeWords, PlusMinus } from "./feed.js";

const PAGE = 100;
const SHOWN = 300; // the list is short enough to be drawn whole

export function Page() {
  const [feed, setFeed] = useState(
    /** @type {{changes: import("./feed.js").Change[], from: number, problem: any, ready: boolean}} */ ({ changes: [], from: 0, problem: null, ready: false }),
  );
  const [live, setLive] = useState("connecting");

  const older = async (before, known) => {
    const after = Math.max(0, before - PAGE);
    const found = /** @type {any[]} */ ([]);
    // A page ends early where its versions are large: the rest of them, the newest, comes with the next.
    for (let next = after; next < before; ) {
      const answer = await get("/v1/changes", { after: next, limit: before - after });
      if (!answer.ok) return setFeed({ changes: known, from: before, problem: answer.problem, ready: true });
      found.push(...answer.data.result);
      next = answer.data.more ? answer.data.next_after : before;
    }
    return setFeed({
      changes: [
        ...known,
        ...found
          .map(changeOf)
          .filter((change) => change.version <= before)
          .reverse(),
      ],
      from: after,
      problem: null,
      ready: true,
    });
  };
  useEffect(() => {
    let stream = /** @type {EventSource | null} */ (null);
    let left = false;
    get("/v1/stats").then(async (answer) => {
      if (left) return;
      if (!answer.ok) return setFeed({ changes: [], from: 0, problem: answer.problem, ready: true });
      const version = answer.data.basis.version;
      if (version > 0) await older(version, []);
      else setFeed({ changes: [], from: 0, problem: null, ready: true });
      if (left) return;
      stream = new EventSource(`/v1/changes?after=${version}`);
      stream.onopen = () => setLive("live");
      stream.onerror = () => setLive("connecting"); // the browser connects again by itself, after the last event
      stream.addEventListener("lineage.changed", (event) => {
        const change = changeOf(JSON.parse(event.data));
        setFeed((now) => (now.changes.some((each) => each.version === change.version) ? now : { ...now, changes: [change, ...now.changes] }));
        announce(t("changes.new", { task: change.task || change.node || "" }));
      });
    });
    return () => {
      left = true;
      stream?.close();
    };
  }, []);

  const words = (state.value.q || "").toLowerCase().split(/\s+/).filter(Boolean);
  const wanted = state.value.class || "";
  const classes = useMemo(() => [...new Set(feed.changes.flatMap((change) => change.classes))].sort(), [feed.changes]);
  const shown = useMemo(
    () =>
      feed.changes.filter(
        (change) => (!wanted || change.classes.includes(wanted)) && (!words.length || words.every((word) => changeWords(change).includes(word))),
      ),
    [feed.changes, wanted, state.value.q],
  );
  const open = Number(state.value.v || 0);

  return html`<div class="page page-changes">
    <div class="head"><div class="head-name"><h1>${t("nav.changes")}</h1><p class="quiet">${t("changes.what")}</p></div><${Chip} tone=${live === "live" ? "good" : "warn"}><span class="dot" aria-hidden="true">●</span> ${t(`changes.${live}`)}</></div>
    <div class="bar"><input type="search" class="filter" aria-label=${t("changes.filter")} placeholder=${t("changes.filter")} value=${state.value.q || ""} onInput=${(event) => set({ q: event.target.value }, { replace: true })} />
      <select aria-label=${t("changes.class")} value=${wanted} onChange=${(event) => set({ class: event.target.value })}><option value="">${t("changes.class.all")}</option>${[...new Set([...classes, wanted])].filter(Boolean).map((name) => html`<option value=${name}>${name}</option>`)}</select>
      <span class="quiet" role="status">${feed.ready ? t("changes.count", { shown: shown.length, n: feed.changes.length }) : ""}</span></div>
    <div class="columns"><div class="wide">
      ${feed.problem ? html`<${Failed} problem=${feed.problem} />` : null}
      ${!feed.ready ? html`<${Loading} />` : !shown.length ? html`<${Empty} title=${feed.changes.length ? t("changes.no.match") : t("changes.none")} hint=${feed.changes.length ? t("changes.no.match.hint") : t("home.empty.hint")} />` : html`<ol class="events">${shown.slice(0, SHOWN).map((change) => html`<${FeedEvent} key=${change.version} change=${change} open=${open === change.version} />`)}</ol>`}
      ${shown.length > SHOWN ? html`<p class="note">${t("state.partof", { shown: SHOWN, total: number(shown.length) })} ${t("changes.narrow")}</p>` : null}
      ${feed.from > 0 ? html`<p class="row"><button type="button" class="button" onClick=${() => older(feed.from, feed.changes)}>${t("changes.older")}</button><span class="quiet">${t("changes.from", { v: String(feed.from + 1) })}</span></p>` : null}
    </div><div class="side"><${Subscriptions} words=${state.value.q || ""} wanted=${wanted} /></div></div>
  </div>`;
}

/** @param {{change: import("./feed.js").Change, open: boolean}} props */
function FeedEvent({ change, open }) {
  const late = change.effective && Math.abs(Date.parse(change.known) - Date.parse(change.effective)) > 3600000;
  return html`<li class=${open ? "open" : ""}><div class="row"><button type="button" class="unfold" aria-expanded=${open ? "true" : "false"} aria-label=${t("changes.open", { v: String(change.version) })} onClick=${() => set({ v: open ? null : change.version }, { replace: true })}>${open ? "▾" : "▸"}</button>
      <span class="mono quiet">v${change.version}</span>${change.kind === "task" && change.task ? html`<${Task} of=${change.task} />` : change.node ? html`<${Name} of=${change.node} />` : html`<span class="mono">${change.task}</span>`}<span>${t(`op.${change.op}`)}</span>
      <${PlusMinus} plus=${change.plus} minus=${change.minus} />
      <span class="grow"></span><span class="quiet"><${Time} at=${change.known} /></span></div>
    <p class="quiet detail"><bdi>${plain([change.reason, change.actor].filter(Boolean).join(" — "))}</bdi>${late ? html` <span class="warn">${change.reason || change.actor ? "· " : ""}${t("changes.effective")} <${Time} at=${change.effective} /></span>` : null} ${change.derived ? html`<${Chip} title=${t("task.derived.what")}>${t("task.derived")}</>` : null}${change.classes.map((name) => html`<${Chip} tone=${name.endsWith("removed") ? "remove" : name.endsWith("added") ? "add" : ""}>${name}</>`)}</p>
    ${open ? html`<${EdgeTable} rows=${change.changes} name=${`v${change.version}`} />` : null}</li>`;
}

/** @param {{words: string, wanted: string}} props */
function Subscriptions({ words, wanted }) {
  const listed = useAnswer("/v1/subscriptions");
  const [problem, setProblem] = useState(/** @type {any} */ (null));
  const [notes, setNotes] = useState(/** @type {string[]} */ ([])); // what the last subscription cannot see
  const submit = async (event) => {
    event.preventDefault();
    const form = event.target;
    const list = (name) => form.elements[name].value.split(/[\s,]+/).filter(Boolean);
    const body = Object.fromEntries(
      Object.entries({ name: form.elements.name.value.trim(), datasets: list("datasets"), tasks: list("tasks"), classes: wanted ? [wanted] : [] }).filter(
        ([, value]) => value.length,
      ),
    );
    const answer = await post("/v1/subscriptions", body);
    setProblem(answer.ok ? null : answer.problem);
    setNotes(answer.ok ? answer.data.result.notes : []);
    if (answer.ok) {
      form.reset();
      announce(t("subscribe.done"));
      listed.reload();
    }
  };
  const remove = async (name) => {
    const answer = await del("/v1/subscriptions", { name });
    setProblem(answer.ok ? null : answer.problem);
    setNotes([]);
    listed.reload();
  };
  return html`<section aria-labelledby="subscriptions"><h2 id="subscriptions">${t("subscribe.title")}</h2>
    <${Answer} of=${listed}>${(data) =>
      data.result.length
        ? html`<ul class="list">${data.result.map(
            (
              each,
            ) => html`<li key=${each.name}><div class="row spread"><span class="mono">${each.name}</span>${mayWrite() ? html`<button type="button" class="button quiet small" onClick=${() => remove(each.name)} aria-label=${t("subscribe.remove", { name: each.name })}>✕</button>` : null}</div>
      <p class="quiet">${["datasets", "columns", "tasks", "classes", "labels", "owners"].flatMap((key) => each.subscription[key] || []).join(", ") || t("subscribe.all")}</p>${each.problem ? html`<p class="bad">${each.problem}</p>` : null}</li>`,
          )}</ul>`
        : html`<p class="quiet none">${t("subscribe.none")}</p>`}</>
    <${Completeness} notes=${notes} />
    ${
      mayWrite()
        ? html`<form class="form" onSubmit=${submit}>
      <label>${t("subscribe.name")}<input name="name" required maxlength="100" /></label>
      <label>${t("subscribe.datasets")}<input name="datasets" placeholder="hive:dws.*" /></label>
      <label>${t("subscribe.tasks")}<input name="tasks" placeholder="dws_*" defaultValue=${words.includes(" ") ? "" : words} /></label>
      ${wanted ? html`<p class="quiet">${t("subscribe.class", { name: wanted })}</p>` : null}
      ${problem ? html`<p class="bad" role="alert">${problem.detail} ${problem.hint || ""}</p>` : null}
      <p><button class="button">${t("subscribe.do")}</button></p></form>`
        : html`<p class="quiet none">${t("subscribe.readonly")}</p>`
    }
  </section>`;
}
