/** Events of the feed (CloudEvents) as the pages show them. */
import { html } from "../lib.js";
import { number } from "../texts.js";

/** How many edges begin and end; nothing where none does, as with a fact. @param {{plus: number, minus: number}} props */
export function PlusMinus({ plus, minus }) {
  return plus || minus ? html`<span class="plusminus"><span class="add">+${number(plus)}</span> <span class="remove">−${number(minus)}</span></span>` : null;
}

/**
 * @typedef {{version: number, known: string, effective: string | null, kind: string, task: string, node: string | null, op: string, actor: string,
 *   reason: string, cause: string, classes: string[], plus: number, minus: number, changes: any[], derived: number | null}} Change
 * @param {any} event @returns {Change}
 */
export function changeOf(event) {
  const data = event.data;
  const changes = data.changes || [];
  return {
    version: data.version,
    known: data.system_time,
    effective: data.effective_at,
    kind: data.kind,
    task: data.task_id || "",
    node: data.node,
    op: data.message_op || "",
    actor: data.actor || "",
    reason: data.reason || "",
    cause: data.cause || "",
    classes: data.classes || [],
    plus: changes.filter((change) => change.after).length,
    minus: changes.filter((change) => change.before).length,
    changes,
    derived: data.derived_from,
  };
}

/** What a change is about, in words that a filter can match. @param {Change} change */
export function changeWords(change) {
  const ends = change.changes
    .flatMap((each) => [each.before, each.after])
    .filter(Boolean)
    .flatMap((edge) => [edge.source, edge.target, edge.node, edge.value]);
  return [change.task, change.node, change.actor, change.reason, change.op, ...change.classes, ...ends].filter(Boolean).join("\n").toLowerCase();
}
