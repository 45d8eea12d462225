// The picture in other forms: SVG drawn from the same layout (with text as text), PNG made of that, rows for a table.
import { inksOf, lookOf, trace } from "./draw.js";
import { GLYPHS, HEADER, headOf, kindsOf, ROW } from "./model.js";

const NS = "http://www.w3.org/2000/svg";
const PAD = 16;
const FOOT = 20;
const FONT = 'system-ui,"Segoe UI","Noto Sans","PingFang SC","Microsoft YaHei",sans-serif';
const DASHES = { unsure: "5 4", star: "2 3", indirect: "6 4", "lit-indirect": "6 4", changed: "12 3", removed: "8 3" };
const INK = {
  dim: "--g-dim",
  unsure: "--g-unsure",
  star: "--g-unsure",
  indirect: "--g-line",
  direct: "--g-line",
  lit: "--g-lit",
  "lit-indirect": "--g-lit",
  changed: "--g-changed",
  removed: "--g-removed",
  added: "--g-added",
  chosen: "--g-chosen",
};
/** Browsers make no larger canvases than this many pixels a side. */
const LARGEST = 8000;

/**
 * @param {import("./model.js").Model} model
 * @param {{lines: Uint8Array, nodes: Set<any>, boxes: Set<any>}} shown
 * @param {HTMLElement} themed whose colours it takes
 * @param {{lit?: any, compared?: boolean, marks?: Record<string, {ink: string, sign: string}>, foot: string[], title: string}} how
 * @returns {SVGSVGElement}
 */
export function svgOf(model, shown, themed, how) {
  const inks = inksOf(themed);
  const there = [...shown.boxes];
  const x0 = Math.min(0, ...there.map((box) => box.x)) - PAD;
  const y0 = Math.min(0, ...there.map((box) => box.y)) - PAD;
  const x1 = Math.max(600, ...there.map((box) => box.x + box.width)) + PAD;
  const y1 = Math.max(0, ...there.map((box) => box.y + box.height)) + PAD;
  const height = y1 - y0 + FOOT * how.foot.length;
  const svg = make("svg", { viewBox: `${x0} ${y0} ${x1 - x0} ${height}`, width: x1 - x0, height, role: "img", "font-family": FONT, "font-size": 12 });
  svg.append(make("title", {}, how.title), make("rect", { x: x0, y: y0, width: x1 - x0, height, fill: inks["--g-ground"] }));
  const marks = { lit: how.lit?.lines ?? null, chosen: null, compared: !!how.compared };
  for (const line of model.lines) {
    if (!shown.lines[line.id]) continue;
    const look = lookOf(line, marks);
    const path = make("path", {
      d: pathOf(line),
      fill: "none",
      stroke: inks[INK[look]],
      "stroke-width": 1.4,
      ...(DASHES[look] ? { "stroke-dasharray": DASHES[look] } : {}),
    });
    path.append(make("title", {}, `${line.source} → ${line.target}\n${kindsOf(line)}`));
    svg.append(path, head(line, inks[INK[look]]));
  }
  const ink = inks["--g-ink"];
  const faint = inks["--g-faint"];
  for (const box of there) svg.append(boxOf(box, shown, how, inks, ink, faint));
  for (const [i, words] of how.foot.entries()) svg.append(make("text", { x: x0 + PAD, y: y1 + FOOT * i + 6, fill: faint, "font-size": 11 }, words));
  return svg;
}

function boxOf(box, shown, how, inks, ink, faint) {
  const group = make("g", { transform: `translate(${box.x} ${box.y})` });
  if (how.lit && ![box.head, ...box.rows].some((node) => how.lit.nodes.has(node))) group.setAttribute("opacity", "0.35");
  const colour = (thing) => (how.compared && thing.change !== "same" ? inks[`--g-${thing.change}`] : ink);
  const mark = how.marks?.[box.mark];
  const glyph = (thing) => mark?.sign ?? (how.compared && thing.change in GLYPHS ? `${GLYPHS[thing.change]} ` : "");
  group.append(
    make("title", {}, box.dataset),
    make("rect", {
      width: box.width,
      height: box.height,
      rx: 5,
      fill: inks["--g-box"],
      stroke: mark ? inks[mark.ink] : box.start ? inks["--g-start"] : inks["--g-edge"],
      "stroke-width": mark ? 2.5 : 1,
      ...(box.uncertain ? { "stroke-dasharray": "5 4" } : {}),
    }),
    make("rect", { width: box.width - 2, height: HEADER - 2, x: 1, y: 1, rx: 4, fill: inks["--g-head"] }),
    make("text", { x: 10, y: 14, fill: faint, "font-size": 10 }, fitted(headOf(box)[0], box.width, 5.6)),
    make("text", { x: 10, y: 30, fill: mark ? inks[mark.ink] : colour(box), "font-weight": 600 }, fitted(glyph(box) + headOf(box)[1], box.width, 7.4)),
  );
  for (const row of box.rows) {
    if (!shown.nodes.has(row)) continue;
    group.append(
      make(
        "text",
        { x: 10, y: row.y + ROW / 2 - 6, fill: colour(row), ...(row.start ? { "font-weight": 600 } : {}) },
        fitted(glyph(row) + row.label, box.width, 6.7),
      ),
    );
  }
  return group;
}

function fitted(text, width, letter) {
  const room = Math.floor((width - 20) / letter);
  return text.length <= room ? text : `${text.slice(0, Math.max(1, room - 1))}…`;
}

function pathOf(line) {
  const parts = [];
  const put =
    (letter) =>
    (...numbers) =>
      parts.push(`${letter}${numbers.join(" ")}`);
  trace({ moveTo: put("M"), lineTo: put("L"), bezierCurveTo: put("C") }, line);
  return parts.join("");
}

function head(line, fill) {
  const [x, y] = line.points[line.points.length - 1];
  const back = line.points[line.points.length - 2][0] >= x ? 7 : -7;
  return make("path", { d: `M${x} ${y}l${back} -3.5v7z`, fill });
}

function make(name, values, text) {
  const element = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(values)) element.setAttribute(key, String(value));
  if (text !== undefined) element.textContent = text;
  return /** @type {any} */ (element);
}

/** @param {SVGSVGElement} svg */
export function svgBlob(svg) {
  svg.setAttribute("xmlns", NS);
  return new Blob([new XMLSerializer().serializeToString(svg)], { type: "image/svg+xml" });
}

/** @param {SVGSVGElement} svg @returns {Promise<Blob>} twice as fine as on the screen, as far as a canvas goes */
export async function pngBlob(svg) {
  const [width, height] = [Number(svg.getAttribute("width")), Number(svg.getAttribute("height"))];
  const scale = Math.min(2, LARGEST / width, LARGEST / height);
  const url = URL.createObjectURL(svgBlob(svg));
  try {
    const image = new Image(width, height);
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = width * scale;
    canvas.height = height * scale;
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done, fail) => {
      canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("no PNG"))), "image/png");
    });
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** The lines shown as rows: what the table view lists and CSV holds. */
export function rowsOf(model, shown, compared) {
  return model.lines
    .filter((line) => shown.lines[line.id])
    .map((line) => ({
      ...(compared ? { change: line.change } : {}),
      source: line.source,
      target: line.target,
      kinds: line.kinds.join(" "),
      direct: line.direct,
      tasks: line.tasks.join(" "),
      certain: line.certain,
      by_star: line.by_star,
      expressions: line.expressions.join("; "),
      line,
    }));
}
