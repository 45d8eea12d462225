/** Names of nodes: `namespace:dataset#column`. */
import { html } from "../lib.js";
import { hrefTo } from "../state.js";
import { plain } from "../texts.js";

const HOST = String.raw`(?:\[[0-9A-Fa-f:.%]*\]|[^/:,;\[]*)(?::(?:[0-9]+|None))?`;
/** A namespace, as lineage_tt/model/edges.py has it: a word, or an address with its hosts and its path. */
const NAMESPACE = new RegExp(
  String.raw`^(?:arn(?::[^:]*){4}|spanner://[^/:]+:[^/:]+|(?:jdbc:)?[A-Za-z][A-Za-z0-9_.+-]*://${HOST}(?:,${HOST})*(?:[/;][^:]*)?|[^:]+):`,
);

/**
 * Take a node apart. `label` is the dataset without its namespace.
 * @param {string} node @returns {{namespace: string, dataset: string, label: string, column: string | null}}
 */
export function splitNode(node) {
  const hash = node.indexOf("#");
  const dataset = hash < 0 ? node : node.slice(0, hash);
  const column = hash < 0 ? null : node.slice(hash + 1);
  const cut = namespaceOf(dataset).length;
  return { namespace: dataset.slice(0, Math.max(cut - 1, 0)), dataset, label: dataset.slice(cut) || dataset, column };
}

/** The namespace of a prefix of names with the colon after it; empty where it has none. @param {string} under */
export function namespaceOf(under) {
  return NAMESPACE.exec(under)?.[0] || "";
}

/** A node's name, the namespace dimmed. @param {{of: string, link?: boolean, page?: string, values?: Record<string, unknown>}} props */
export function Name({ of, link = true, page = "node", values = {} }) {
  const { dataset, label, column } = splitNode(of);
  const before = dataset.slice(0, dataset.length - label.length);
  const text = html`${before ? html`<span class="name-space">${before}</span>` : null}${broken(label)}${column === null ? null : html`<span class="name-mark">#</span><span class="name-column">${broken(column)}</span>`}`;
  return link ? html`<a class="name mono" href=${hrefTo(page, { node: of, ...values })}>${text}</a>` : html`<span class="name mono">${text}</span>`;
}

/** A name that may break after its separators, and not within its words. @param {string} name */
export function broken(name) {
  return plain(name)
    .split(/(?<=[._/-])/)
    .map((part, at) => (at ? html`<wbr />${part}` : part));
}

/** A link to a task. @param {{of: string}} props */
export function Task({ of }) {
  return html`<a class="name mono" href=${hrefTo("task", { task: of })}>${broken(of)}</a>`;
}

/** A small word in a box; `tone`: "", "good", "warn", "bad", "accent", "add", "remove", "change". @param {any} props */
export function Chip({ tone = "", title, children }) {
  return html`<span class=${`chip ${tone}`} title=${title}>${children}</span>`;
}
