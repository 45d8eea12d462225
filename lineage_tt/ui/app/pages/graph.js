/** The graph page: lineage as a picture (or the same as a table), at any point of both times, and the difference of two. */
import { getEarly, useAnswer } from "../api.js";
import { Chain, onPath, useChain } from "../graph/critical.js";
import { ColumnsDrawer, LineDrawer, NodeDrawer } from "../graph/drawer.js";
import { svgOf } from "../graph/export.js";
import { useFilter } from "../graph/filter.js";
import { GROUPS, Groups } from "../graph/groups.js";
import { LineTable } from "../graph/list.js";
import { around, between, modelOf, quietIn, shownAt } from "../graph/model.js";
import { Picture } from "../graph/picture.js";
import { makeSource } from "../graph/source.js";
import { Toolbar, viewsOf } from "../graph/toolbar.js";
import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "../lib.js";
import { announce } from "../parts/announce.js";
import { Search } from "../parts/search.js";
import { Completeness, Failed, Loading } from "../parts/states.js";
import { pointWord } from "../points.js";
import { at, hrefTo, hrefWith, set, state } from "../state.js";
import { t } from "../texts.js";
import { pinsOf, TimeBar } from "../time/bar.js";
import { ChangeList, CompareBar, SideBySide, SqlCompared, wordsOf } from "../time/compare.js";
import { lastUpTo } from "../time/window.js";

const LINK = " -> ";

/** What the address asks. @param {Record<string, string>} wanted */
function questionOf(wanted) {
  const one = (value, allowed) => (allowed.includes(value) ? value : allowed[0]);
  const level = wanted.node?.startsWith("task:") ? "task" : one(wanted.level, ["column", "table", "task"]);
  return {
    node: wanted.node ?? "",
    direction: one(wanted.direction, ["both", "up", "down"]),
    level,
    depth: /^\d{1,3}$/.test(wanted.depth ?? "") ? wanted.depth : null,
    direct_only: wanted.direct ? true : null,
  };
}

// The picture is asked for while texts and session are still on their way.
if (state.value.page === "graph" && state.value.node && pinsOf(state.value.pins).length < 2)
  getEarly("/v1/layout", { ...questionOf(state.value), at: at.value });

export function Page() {
  const wanted = state.value;
  if (!wanted.node) return html`<${Choose} />`;
  const pins = pinsOf(wanted.pins);
  const question = questionOf(wanted);
  const key = JSON.stringify(question);
  const steady = useMemo(() => question, [key]);
  return html`<div class="page page-graph">
    <h1 class="g-title"><span class="sr-only">${t("graph.title")}</span> <a href=${question.node.startsWith("task:") ? hrefTo("task", { task: question.node.slice(5) }) : hrefTo("node", { node: question.node })}>${question.node}</a></h1>
    <p class="sr-only" id="g-keys">${t("graph.keys")}</p>
    ${pins.length > 1 ? html`<${Compared} question=${steady} about=${key} pins=${pins} wanted=${wanted} />` : html`<${AtPoint} question=${steady} about=${key} wanted=${wanted} />`}
  </div>`;
}

/** No node yet: search for one. */
function Choose() {
  return html`<div class="page"><h1>${t("graph.title")}</h1><p>${t("graph.choose")}</p>
    <${Search} label=${t("graph.find")} placeholder=${t("graph.find")} onPick=${(found) => set({ node: found.kind === "task" ? `task:${found.name}` : (found.subject ?? found.name) })} /></div>`;
}

function AtPoint({ question, about, wanted }) {
  const [along, setAlong] = useState(/** @type {"valid" | "system"} */ ("valid"));
  const source = useMemo(makeSource, []);
  const dragging = useRef(false);
  const word = at.value;
  // Before the paint: a step that needs no answer is drawn in the next frame.
  useLayoutEffect(() => {
    source.open(question, word, along);
  }, [question, word, along]);
  useEffect(() => source.stop, []);
  const now = source.state.value;
  const systems = useSystems(question, now, wanted.known === "1");
  const onStep = (way, next, done) => {
    setAlong(way);
    const replace = dragging.current; // a drag is one step of the back button, whatever lies on its way
    dragging.current = !done;
    set({ at: next, edge: null }, { replace });
  };
  const extra = now.status === "failed" ? html`<${Failed} problem=${now.problem} retry=${() => source.open(question, word, along)} />` : null;
  return html`<${Drawn} model=${now.model} point=${now.point} basis=${now.basis} completeness=${now.completeness} settled=${now.settled} reached=${now.word === word} question=${question} about=${about} wanted=${wanted} failed=${extra} pins=${[]} />
    <${TimeBar} source=${now} systems=${systems} question=${question} wanted=${wanted} word=${word} onStep=${onStep} />`;
}

/** The change points of the axis that the picture's window is not on. */
function useSystems(question, now, open) {
  const point = now.basis && now.settled ? (now.along === "valid" ? now.basis.valid_at : `${now.basis.valid_at}@v${now.basis.version}`) : null;
  const valid = useAnswer(open && now.along === "system" && point ? "/v1/timeline" : null, { ...question, at: point });
  const system = useAnswer(open && now.along === "valid" && point ? "/v1/timeline" : null, { ...question, at: point });
  return useMemo(() => {
    const rows = system.data?.result.known ?? [];
    const moves = valid.data?.result.points ?? [];
    const axis = {
      times: rows.map((each) => each.version),
      isos: rows.map((each) => each.system_time),
      weights: rows.map((each) => each.plus + each.minus),
      current: -1,
      first: 0,
      last: -1,
    };
    axis.current = lastUpTo(axis.times, now.basis?.version ?? 0);
    const isos = moves.map((each) => each.valid_at);
    const validAxis = {
      times: isos.map((iso) => Date.parse(iso) * 1000),
      isos,
      weights: moves.map((each) => each.begins + each.ends),
      current: -1,
      first: 0,
      last: -1,
    };
    validAxis.current = lastUpTo(validAxis.times, Date.parse(now.basis?.valid_at ?? "") * 1000);
    return { axis: rows.length ? axis : null, validAxis: moves.length ? validAxis : null };
  }, [system.data, valid.data, now.basis]);
}

function Compared({ question, about, pins, wanted }) {
  const found = useAnswer("/v1/layout", { ...question, at: pins.join(",") });
  const model = useMemo(() => (found.data ? modelOf(found.data, true) : undefined), [found.data]);
  const failed = found.problem ? html`<${Failed} problem=${found.problem} retry=${found.reload} />` : null;
  return html`<${CompareBar} model=${model} pins=${pins} />
    <${Drawn} model=${model} point=${-1} compared=${true} basis=${model?.bases[model.count - 1]} completeness=${model?.completeness.find((each) => !each.complete) ?? model?.completeness[0]}
      settled=${!!model} question=${question} about=${`${about} compared`} wanted=${wanted} failed=${failed} pins=${pins} />`;
}

/** The picture or its table with what belongs around it. */
function Drawn({ model, point, basis, completeness, settled, reached = true, compared = false, question, about, wanted, failed, pins }) {
  const root = useRef(/** @type {HTMLElement | null} */ (null));
  const stage = useRef(/** @type {any} */ (null));
  const { passes, active, cut } = useFilter(wanted, basis?.valid_at);
  const shown = useMemo(() => (model ? shownAt(model, point, passes) : null), [model, point, passes]);
  const nodeNamed = (name) => (name ? model?.nodes.get(name) : undefined);
  const locked = nodeNamed(wanted.lock);
  const line = useMemo(() => findLine(model, wanted.edge), [model, wanted.edge]);
  const way = nodeNamed(wanted.path);
  const critical = wanted.critical === "1" && !compared;
  const chain = useChain(question.node, settled ? basis : null, critical);
  const lit = useMemo(() => {
    if (!shown) return null;
    if (critical && chain.data && !locked) return onPath(model, shown.lines, chain.data.result.critical_path);
    if (way && locked && way !== locked) return between(way, locked, shown.lines);
    return locked ? around(locked, shown.lines) : null;
  }, [shown, locked, way, critical, chain.data]);
  const quiet = useMemo(() => (compared && model ? quietIn(model) : undefined), [model, compared]);
  const look = useMemo(() => ({ shown, lit, compared, quiet, chosen: locked, line }), [shown, lit, compared, quiet, locked, line]);

  const hooks = {
    onNode: (node) => {
      set({ lock: node.node, edge: null, columns: null });
      if (stage.current?.shown()) announce(t("graph.lit", { n: around(node, stage.current.shown().lines).nodes.size - 1 }));
    },
    onLine: (each) => set({ edge: each.source + LINK + each.target, columns: null }),
    onAway: () => {
      if (wanted.lock || wanted.edge || wanted.columns) set({ lock: null, edge: null, path: null, columns: null });
    },
  };
  const close = () => {
    const back = nodeNamed(wanted.lock);
    set(wanted.edge ? { edge: null } : wanted.columns ? { columns: null } : { lock: null, path: null });
    if (back && stage.current) stage.current.focus(back);
  };
  const goTo = (node) => {
    set({ lock: node.node, edge: null, columns: null });
    stage.current?.focus(node);
  };
  const drawing = () =>
    svgOf(model, shown, /** @type {HTMLElement} */ (root.current), {
      lit,
      compared,
      title: t("graph.picture", { node: question.node }),
      foot: [question.node, ...(point < 0 ? model.bases : [model.bases[point]]).map(wordsOf)],
    });
  usePrinting(model ? drawing : null);

  const columns = wanted.columns ? nodeNamed(wanted.columns)?.box : null;
  const views = viewsOf(question.level, compared);
  const view = views.includes(wanted.view) ? wanted.view : views[0];
  const pictured = view === "picture" || view === "side";
  const listed = compared && (view === "side" ? wanted.list === "1" : wanted.list !== "0");
  let drawer = null;
  if (model && shown && columns) {
    drawer = html`<${ColumnsDrawer} box=${columns} shown=${shown} basis=${basis} onClose=${close} onColumn=${(name) => (model.nodes.has(name) ? goTo(model.nodes.get(name)) : set({ node: name, level: null, lock: null, columns: null, edge: null }))} />`;
  } else if (model && line && shown.lines[line.id]) {
    drawer = html`<${LineDrawer} key=${wanted.edge} line=${line} basis=${compared ? model.bases[line.present.lastIndexOf(true)] : basis} level=${question.level} pins=${pins} sql=${compared && line.tasks.length ? html`<${SqlCompared} tasks=${line.tasks} pins=${pins} bases=${model.bases} />` : null} onClose=${close} onNode=${goTo}
      onPoint=${(valid, system) => set({ at: pointWord({ valid, system }), pins: null, known: "1", edge: null })} />`;
  } else if (model && locked && shown.nodes.has(locked)) {
    drawer = html`<${NodeDrawer} key=${locked.node} node=${locked} shown=${shown} basis=${basis} level=${question.level} path=${wanted.path ?? ""} onClose=${close} onLine=${hooks.onLine} onNode=${goTo}
      onPath=${() => set({ path: wanted.path === locked.node ? null : locked.node })} onStart=${() => set({ node: locked.node, lock: null, edge: null, path: null })} onColumns=${() => set({ columns: locked.box.dataset })} />`;
  } else if (compared && model && pictured) {
    // Beside each other pictures need the width: the list is there when it is asked for.
    drawer = !listed
      ? null
      : html`<${ChangeList} model=${model} onClose=${() => set({ list: view === "side" ? null : "0" })} onLine=${(each) => {
          hooks.onLine(each);
          stage.current?.focus(each.to);
        }} />`;
  }
  const hidden = model && shown && passes ? model.lines.filter((each) => point < 0 || each.present[point]).length - shown.count : 0;

  return html`<${Toolbar} question=${question} wanted=${wanted} model=${model} shown=${shown} active=${active} compared=${compared} basis=${basis} drawing=${drawing} />
    <div class=${`g-main${drawer ? " g-with-drawer" : ""}`} ref=${root} data-settled=${settled && reached ? "1" : "0"} data-point=${point}>
      <div class="g-body">
        ${failed || (!model && html`<${Loading} what=${t("graph.loading")} />`)}
        ${
          !failed &&
          model &&
          shown &&
          view === "picture" &&
          html`<${Picture} model=${model} look=${look} about=${about} label=${t("graph.picture", { node: question.node })} stageRef=${stage} ...${hooks}>
          <div class="g-zoom g-over" role="group" aria-label=${t("graph.zoom")}>
            <button type="button" aria-label=${t("graph.zoom.in")} title=${`${t("graph.zoom.in")} +`} onClick=${() => stage.current?.camera.zoom(1.25)}>+</button>
            <button type="button" aria-label=${t("graph.zoom.out")} title=${`${t("graph.zoom.out")} −`} onClick=${() => stage.current?.camera.zoom(0.8)}>−</button>
            <button type="button" aria-label=${t("graph.fit")} title=${`${t("graph.fit")} 0`} onClick=${() => stage.current?.fit(true)}>⤢</button></div>
          ${!shown.count && html`<p class="g-empty g-over">${t(passes ? "graph.empty.filter" : "graph.empty")}</p>`}</>`
        }
        ${!failed && model && shown && view === "side" && html`<${SideBySide} model=${model} look=${look} about=${about} passes=${passes} ...${hooks} />`}
        ${!failed && model && basis && view === "groups" && html`<${Groups} question=${question} by=${GROUPS.includes(wanted.by) ? wanted.by : GROUPS[0]} bases=${compared ? model.bases : [basis]} filtered=${!!passes} />`}
        ${!failed && model && shown && view === "table" && html`<${LineTable} model=${model} shown=${shown} compared=${compared} node=${question.node} onLine=${hooks.onLine} />`}
      </div>
      ${drawer}
    </div>
    <div class="g-foot">
      ${model && shown && html`<span class="quiet" role="status">${t("graph.tally", { boxes: shown.boxes.size, lines: shown.count })}${hidden > 0 ? ` · ${t("graph.hidden", { n: hidden })}` : ""}${cut ? ` · ${t("graph.filter.cut")}` : ""}</span>`}
      ${way && locked && way !== locked && html`<span>${lit?.lines.size ? t("graph.path.found", { n: lit.lines.size }) : t("graph.path.none")} <a href=${hrefWith({ path: null })}>${t("graph.path.end")}</a></span>`}
      ${critical && html`<${Chain} of=${chain} />`}
      ${compared && pictured && !listed && html`<a href=${hrefWith({ list: view === "side" ? "1" : null, lock: null, edge: null })}>${t("graph.changes")}</a>`}
      <span class="g-legend quiet" aria-label=${t("graph.legend")}><i class="g-key g-key-direct"></i>${t("graph.legend.direct")} <i class="g-key g-key-indirect"></i>${t("graph.legend.indirect")} <i class="g-key g-key-unsure"></i>${t("graph.legend.unsure")}</span>
      <span class="g-gap"></span>
      <${Completeness} of=${completeness} />
    </div>`;
}

function findLine(model, named) {
  if (!model || !named) return null;
  const cut = named.indexOf(LINK);
  return model.nodes.get(named.slice(0, cut))?.out.find((line) => line.target === named.slice(cut + LINK.length)) ?? null;
}

/** Put the whole picture on paper, not the part on the screen. */
function usePrinting(drawing) {
  useEffect(() => {
    if (!drawing) return undefined;
    let sheet = null;
    const before = () => {
      sheet = document.createElement("div");
      sheet.className = "g-print";
      const svg = drawing();
      svg.removeAttribute("width");
      svg.removeAttribute("height");
      sheet.append(svg);
      document.body.append(sheet);
    };
    const after = () => sheet?.remove();
    addEventListener("beforeprint", before);
    addEventListener("afterprint", after);
    return () => {
      removeEventListener("beforeprint", before);
      removeEventListener("afterprint", after);
      after();
    };
  });
}
