// A picture as the page works on it: the boxes and lines of `/v1/layout`, who is next to whom, and who is there at
// which point. Nothing here touches the document, so that every question is answered at once and can be tested.

/**
 * @typedef {{node: string, box: Box, index: number, label: string, y: number, start: boolean, uncertain: boolean,
 *   change: string, out: Line[], into: Line[]}} Node  `index` is -1 for the dataset itself, else the row's
 * @typedef {{dataset: string, namespace: string, label: string, x: number, y: number, width: number, height: number,
 *   layer: number, start: boolean, uncertain: boolean, change: string, id: number, head: Node, rows: Node[]}} Box
 * @typedef {{source: string, target: string, kinds: string[], direct: boolean, by_star: boolean, certain: boolean,
 *   tasks: string[], expressions: string[], change: string, present: boolean[], points: number[][], id: number,
 *   from: Node, to: Node, x0: number, x1: number, y0: number, y1: number}} Line
 * @typedef {{boxes: Box[], lines: Line[], nodes: Map<string, Node>, width: number, height: number, bases: any[],
 *   completeness: any[], start: string[], count: number}} Model
 */

/** How far a line that leads back to its own box stands out of it, in pixels. */
export const LOOP = 44;
export const HEADER = 38;
export const ROW = 20;
/** What stands before a name that came or went, for those who see no colours; in the order of lists of changes. @type {Record<string, string>} */
export const GLYPHS = { removed: "−", added: "+", changed: "~" };

/**
 * @param {any} answer of `/v1/layout`
 * @param {boolean} compared whether what differs between its first and its last point is to be marked
 * @returns {Model}
 */
export function modelOf(answer, compared = false) {
  const drawn = answer.result;
  const changeOf = (given) => (compared ? given.change : "same");
  const nodes = new Map();
  const boxes = drawn.boxes.map((given, id) => {
    const box = { ...given, id, change: changeOf(given) };
    box.head = nodeOf(box, { ...box, node: given.dataset, y: HEADER / 2 }, -1);
    nodes.set(given.dataset, box.head);
    box.rows = given.rows.map((row, index) => nodeOf(box, { ...row, change: changeOf(row) }, index));
    for (const row of box.rows) nodes.set(row.node, row);
    return box;
  });
  const lines = drawn.lines.map((given, id) => {
    const line = { ...given, id, change: changeOf(given), from: nodes.get(given.source), to: nodes.get(given.target) };
    bound(line);
    line.from.out.push(line);
    line.to.into.push(line);
    return line;
  });
  return {
    boxes,
    lines,
    nodes,
    width: drawn.width,
    height: drawn.height,
    bases: [].concat(answer.basis),
    completeness: [].concat(answer.completeness),
    start: drawn.start,
    count: [].concat(answer.basis).length,
  };
}

/**
 * The two lines of a box's head. A long name keeps its end, which tells it from others; the rest goes up to the namespace.
 * @param {Box} box @returns {[string, string]}
 */
export function headOf(box) {
  const room = Math.floor((box.width - 20) / 7.4);
  if (box.label.length <= room) return [box.namespace, box.label];
  const parts = box.label.split(".");
  let from = parts.length - 1;
  while (from > 1 && parts.slice(from - 1).join(".").length <= room) from -= 1;
  return [[box.namespace, ...parts.slice(0, from)].join(" · "), parts.slice(from).join(".")];
}

function nodeOf(box, given, index) {
  const { node, label, y, start, uncertain, change } = given;
  return { node, box, index, label, y, start, uncertain, change, out: [], into: [] };
}

/** Set what a line lies within. */
function bound(line) {
  const xs = line.points.map((point) => point[0]);
  const ys = line.points.map((point) => point[1]);
  line.x0 = Math.min(...xs);
  line.x1 = Math.max(...xs) + (isLoop(line) ? LOOP : 0);
  line.y0 = Math.min(...ys) - 16;
  line.y1 = Math.max(...ys) + 16;
}

export function isLoop(line) {
  return line.points.length === 2 && line.points[0][0] === line.points[1][0];
}

/**
 * What of a picture is there at one of its points and passes the filter: a flag for each line, and the nodes.
 * A node is there where one of its lines is, or where the question starts.
 * @param {Model} model
 * @param {number} point which of the points, from 0; -1: there at any of them
 * @param {(line: Line) => boolean} [passes]
 */
export function shownAt(model, point, passes) {
  const lines = new Uint8Array(model.lines.length);
  const nodes = new Set();
  const boxes = new Set();
  let count = 0;
  for (const line of model.lines) {
    if ((point >= 0 && !line.present[point]) || (passes && !passes(line))) continue;
    lines[line.id] = 1;
    count += 1;
    for (const node of [line.from, line.to]) {
      nodes.add(node);
      boxes.add(node.box);
    }
  }
  for (const name of model.start) {
    const node = model.nodes.get(name);
    if (!node) continue;
    nodes.add(node);
    boxes.add(node.box);
  }
  for (const box of boxes) nodes.add(box.head);
  return { lines, nodes, boxes, count };
}

/** The lines by which a walk comes to a node (`into`) or goes on from it (`out`), as the store's own walks do. */
function steps(node, way) {
  if (way === "out") {
    if (node.index >= 0 || !node.box.rows.length) return node.out;
    return [...node.out, ...node.box.rows.flatMap((row) => row.out)];
  }
  return node.index >= 0 ? [...node.into, ...node.box.head.into] : node.into;
}

/**
 * All lines and nodes that a walk from some nodes reaches along the lines shown.
 * @param {Node[]} from
 * @param {"out" | "into"} way downstream or upstream
 * @param {Uint8Array} shown
 */
export function reach(from, way, shown) {
  const nodes = new Set(from);
  const lines = new Set();
  const queue = [...from];
  for (let at = 0; at < queue.length; at += 1) {
    for (const line of steps(queue[at], way)) {
      if (!shown[line.id]) continue;
      lines.add(line);
      const next = way === "out" ? line.to : line.from;
      if (!nodes.has(next)) {
        nodes.add(next);
        queue.push(next);
      }
    }
  }
  return { nodes, lines };
}

/** A node stands for itself; a dataset's head for all its columns, too. */
export function startsOf(node) {
  return node.index < 0 ? [node, ...node.box.rows] : [node];
}

/** What is up- and downstream of a node: what a locked highlight shows. */
export function around(node, shown) {
  const up = reach(startsOf(node), "into", shown);
  const down = reach(startsOf(node), "out", shown);
  return { nodes: new Set([...up.nodes, ...down.nodes]), lines: new Set([...up.lines, ...down.lines]), up, down };
}

/** Everything on a way from one node to another; empty where there is none, in either direction. */
export function between(one, other, shown) {
  const there = meet(one, other, shown);
  return there.lines.size ? there : meet(other, one, shown);
}

function meet(one, other, shown) {
  const down = reach(startsOf(one), "out", shown);
  const up = reach(startsOf(other), "into", shown);
  const lines = new Set([...down.lines].filter((line) => up.lines.has(line)));
  const nodes = new Set([...lines].flatMap((line) => [line.from, line.to]));
  return { lines, nodes };
}

/** The words for what a line is: its kinds of edges. @param {Line} line */
export function kindsOf(line) {
  return line.kinds.join(", ");
}

/** How many lines have each change. @param {Model} model */
export function countChanges(model) {
  const tally = { added: 0, removed: 0, changed: 0, same: 0 };
  for (const line of model.lines) tally[line.change] += 1;
  return tally;
}

/** What of a comparison did not change and touches nothing that did. @param {Model} model */
export function quietIn(model) {
  const quiet = new Set();
  const still = (node) => node.change === "same" && [...node.out, ...node.into].every((line) => line.change === "same");
  for (const box of model.boxes) {
    const rows = box.rows.filter(still);
    for (const row of rows) quiet.add(row);
    if (rows.length === box.rows.length && still(box.head)) quiet.add(box.head).add(box);
  }
  return quiet;
}
