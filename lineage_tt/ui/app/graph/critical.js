/** The critical path: the tasks that decide when what the question asks for is done, and the lines by which each waits for the one before. */
import { useAnswer } from "../api.js";
import { html } from "../lib.js";
import { Completeness } from "../parts/states.js";
import { basisWord, pointParams } from "../points.js";
import { hrefTo } from "../state.js";
import { t } from "../texts.js";

/** The chain of a node at a point, as `/v1/core` gives it; nothing is asked where it is not on. @param {string} node @param {any} basis @param {boolean} on */
export function useChain(node, basis, on) {
  return useAnswer(on && basis ? "/v1/core" : null, { node, ...pointParams(basis ? basisWord(basis) : "") });
}

/**
 * The lines shown that are on the path: made by one of its tasks, from what the task before it writes, to what the one after it reads.
 * @param {import("./model.js").Model} model @param {Uint8Array} shown @param {string[]} path tasks, the first to run first
 */
export function onPath(model, shown, path) {
  const place = new Map(path.map((task, at) => [task, at]));
  const made = (node, way, at) => [node.box.head, ...node.box.rows].some((each) => each[way].some((line) => shown[line.id] && line.tasks.includes(path[at])));
  const on = (line) => {
    const [from, to] = [line.source, line.target].map((node) => (node.startsWith("task:") ? place.get(node.slice(5)) : undefined));
    if (from !== undefined && to !== undefined) return to === from + 1;
    return line.tasks.some((task) => {
      const at = place.get(task);
      return at !== undefined && (at === 0 || made(line.from, "into", at - 1)) && (at === path.length - 1 || made(line.to, "out", at + 1));
    });
  };
  const lines = new Set(model.lines.filter((line) => shown[line.id] && on(line)));
  const nodes = new Set([...lines].flatMap((line) => [line.from, line.to]));
  return { lines, nodes };
}

/** When it is done, by which tasks. @param {{of: any}} props */
export function Chain({ of: found }) {
  if (found.problem) return html`<span class="bad" role="alert">${found.problem.hint || found.problem.detail}</span>`;
  if (!found.data) return html`<span class="quiet">${t("state.loading")}</span>`;
  const { critical_path: path, tasks, finish, sla, in_time, durations_unknown: unknown } = found.data.result;
  if (!path.length) return html`<span class="quiet">${t("graph.critical.none")}</span>`;
  return html`<span class="g-chain"><b>${t("graph.critical")}:</b> ${path.map((task, at) => html`${at ? " → " : ""}<a href=${hrefTo("task", { task })}>${task}</a>`)}
    ${unknown < tasks.length ? ` · ${t("graph.critical.finish", { finish })}` : ""}${sla && unknown < tasks.length ? html` · <span class=${in_time ? "" : "bad"}>${t(in_time ? "graph.critical.kept" : "graph.critical.broken", { sla })}</span>` : ""}${unknown ? ` · ${t("graph.critical.unknown", { n: unknown })}` : ""}</span><${Completeness} of=${found.data.completeness} />`;
}
