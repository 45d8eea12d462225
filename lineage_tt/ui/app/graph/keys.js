// Arrows: up and down between the rows of a box and on to the box above or below, left and right along lines.

/**
 * @param {import("./model.js").Node} node
 * @param {string} key
 * @param {{lines: Uint8Array, nodes: Set<any>, boxes: Set<any>}} shown
 * @param {import("./model.js").Model} model
 */
export function moveFrom(node, key, shown, model) {
  if (key === "ArrowRight") return along(node, "out", shown);
  if (key === "ArrowLeft") return along(node, "into", shown);
  const step = key === "ArrowDown" ? 1 : -1;
  for (let at = node.index + step; at >= -1 && at < node.box.rows.length; at += step) {
    const next = at < 0 ? node.box.head : node.box.rows[at];
    if (shown.nodes.has(next)) return next;
  }
  return beside(node.box, step, shown, model);
}

/** The nearest end of a line from here; a dataset's head goes along the lines of its columns where it has none. */
function along(node, way, shown) {
  const own = node[way];
  const lines = (own.length || node.index >= 0 ? own : node.box.rows.flatMap((row) => row[way])).filter((line) => shown.lines[line.id]);
  const ends = lines.map((line) => (way === "out" ? line.to : line.from)).filter((end) => end !== node);
  const height = (end) => Math.abs(end.box.y + end.y - node.box.y - node.y);
  return ends.sort((a, b) => height(a) - height(b))[0] ?? null;
}

/** The last row of the box above, or the head of the box below, in the same layer. */
function beside(box, step, shown, model) {
  const layer = model.boxes.filter((each) => each.layer === box.layer && shown.boxes.has(each)).sort((a, b) => a.y - b.y);
  const next = layer[layer.indexOf(box) + step];
  if (!next) return null;
  if (step > 0) return next.head;
  return next.rows.findLast((row) => shown.nodes.has(row)) ?? next.head;
}
