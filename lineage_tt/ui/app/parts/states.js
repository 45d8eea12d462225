/** What a place shows while it has nothing to show, and what to do then. */
import { html, useEffect, useState } from "../lib.js";
import { has, number, plain, t, translated } from "../texts.js";
import { hrefTo, hrefWith } from "../state.js";
import { Task } from "./names.js";

/** Appears after a moment, so that quick answers do not flicker. @param {{what?: string}} props */
export function Loading({ what }) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 150);
    return () => clearTimeout(timer);
  }, []);
  return html`<div class="state" role="status">${late ? html`<span class="spinner" aria-hidden="true"></span> ${what || t("state.loading")}` : null}</div>`;
}

/** Nothing is there; children say what to do. @param {{title: string, hint?: string, children?: any}} props */
export function Empty({ title, hint, children }) {
  return html`<div class="state"><p class="state-title">${title}</p>${hint ? html`<p>${hint}</p>` : null}${children ? html`<p class="row">${children}</p>` : null}</div>`;
}

/** An error with what to do. Names that are near to an unknown one are offered. @param {{problem: import("../api.js").Problem, retry?: () => void}} props */
export function Failed({ problem, retry }) {
  const advice = has(`problem.${problem.code}`) ? t(`problem.${problem.code}`) : "";
  const near = problem.near || [];
  return html`<div class="state failed" role="alert">
    <p class="state-title">${advice || t("problem.error")}</p>
    ${problem.detail ? html`<p class="mono">${problem.detail}</p>` : null}
    ${problem.hint && !near.length ? html`<p>${problem.hint}</p>` : null}
    ${(problem.errors || []).map((each) => html`<p><code>${each.where}</code>: ${each.problem}</p>`)}
    ${near.length ? html`<p>${t("state.near")}</p><ul>${near.slice(0, 8).map((name) => html`<li><a class="mono" href=${hrefWith(problem.code === "unknown-task" ? { task: name } : { node: name })}>${name}</a></li>`)}</ul>` : null}
    <p class="row">${retry ? html`<button type="button" class="button" onClick=${retry}>${t("do.retry")}</button>` : null}
      <a class="button quiet" href=${hrefTo("home")}>${t("nav.home")}</a></p>
  </div>`;
}

/** Too much for one page: how much, and what to narrow. @param {{shown: number, total?: number, children?: any}} props */
export function TooLarge({ shown, total, children }) {
  return html`<p class="note" role="note">${total ? t("state.partof", { shown, total: number(total) }) : t("state.first", { shown })} ${children}</p>`;
}

/** The three states of `useAnswer` at once; the child is a function of the data. @param {{of: any, children: any, what?: string}} props */
export function Answer({ of, children, what }) {
  const draw = Array.isArray(children) ? children[0] : children;
  if (of.problem) return html`<${Failed} problem=${of.problem} retry=${of.reload} />`;
  if (of.data === null) return html`<${Loading} what=${what} />`;
  return html`<div class=${of.stale ? "answer stale" : "answer"} aria-busy=${of.loading ? "true" : "false"}>${draw(of.data)}</div>`;
}

/**
 * What an answer does not know: one line, which unfolds; then a line for each thing that it leaves out or that had no effect.
 * @param {{of?: any, notes?: string[], basis?: any}} props   `notes` are sentences of the service; `basis` is that of an answer over all versions
 */
export function Completeness({ of, notes = [], basis }) {
  const lines = [
    of?.rejected ? t("complete.rejected", { n: of.rejected }) : "",
    basis?.kept_from ? t("complete.kept", { v: String(basis.kept_from.version) }) : "",
    ...notes.map((note) => t("complete.note", { note: plain(translated(note)) })),
  ].filter(Boolean);
  return html`<${Known} of=${of} />${lines.map((line) => html`<p class="completeness" role="note">${line}</p>`)}`;
}

/** How much of the lineage is known. @param {{of: any}} props */
function Known({ of }) {
  if (!of) return null;
  if (of.complete) return html`<p class="completeness good"><span aria-hidden="true">✓</span> ${t("complete.yes")}</p>`;
  const tasks = of.tasks || [];
  const ends = of.ends || [];
  const parts = [
    tasks.length ? t("complete.tasks", { n: tasks.length + (of.tasks_omitted || 0) }) : "",
    ends.length ? t("complete.ends", { n: ends.length + (of.ends_omitted || 0) }) : "",
    of.by_star ? t("complete.star", { n: of.by_star }) : "",
  ].filter(Boolean);
  return html`<details class="completeness"><summary><span aria-hidden="true">◐</span> ${t("complete.no")} ${parts.join(t("list.comma"))}</summary>
    <ul>${tasks.map(
      (
        task,
      ) => html`<li><${Task} of=${task.task_id} /> <span class="chip ${task.coverage === "opaque" ? "bad" : "warn"}">${t(`coverage.${task.coverage}`)}</span>
      ${task.reasons.map((reason) => html`<span class="reason"> ${reason.detail || reason.code}</span>`)}${task.reasons_omitted ? html`<span class="reason"> ${t("health.more", { n: task.reasons_omitted })}</span>` : null}</li>`,
    )}
    ${of.tasks_omitted ? html`<li>${t("complete.tasks.more", { n: of.tasks_omitted })}</li>` : null}
    ${ends.map((end) => html`<li class="mono">${typeof end === "string" ? end : end.node} <span class="reason">${typeof end === "string" ? "" : end.detail || end.code || ""}</span></li>`)}
    ${of.ends_omitted ? html`<li>${t("complete.ends.more", { n: of.ends_omitted })}</li>` : null}</ul>
  </details>`;
}
