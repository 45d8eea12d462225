// Lines on a canvas: those within view, those of one look in one stroke.
import { isLoop, LOOP } from "./model.js";

/** What lines look like: colour (a CSS variable), width, dashes. Later ones are drawn above earlier ones. @type {[string, {ink: string, width: number, dash: number[]}][]} */
const LOOKS = [
  ["dim", { ink: "--g-dim", width: 1, dash: [] }],
  ["unsure", { ink: "--g-unsure", width: 1.2, dash: [5, 4] }],
  ["star", { ink: "--g-unsure", width: 1.3, dash: [2, 3] }],
  ["indirect", { ink: "--g-line", width: 1.1, dash: [6, 4] }],
  ["direct", { ink: "--g-line", width: 1.4, dash: [] }],
  ["lit-indirect", { ink: "--g-lit", width: 1.6, dash: [6, 4] }],
  ["lit", { ink: "--g-lit", width: 2, dash: [] }],
  ["changed", { ink: "--g-changed", width: 2, dash: [12, 3] }],
  ["removed", { ink: "--g-removed", width: 2, dash: [8, 3] }],
  ["added", { ink: "--g-added", width: 2.2, dash: [] }],
  ["chosen", { ink: "--g-chosen", width: 3.2, dash: [] }],
];
const INKS = [
  "--g-dim",
  "--g-unsure",
  "--g-line",
  "--g-lit",
  "--g-changed",
  "--g-removed",
  "--g-added",
  "--g-chosen",
  "--g-box",
  "--g-head",
  "--g-edge",
  "--g-start",
  "--g-ground",
  "--g-ink",
  "--g-faint",
];
/** So many lines in one path: Chromium strokes many short paths faster than a long one. */
const AT_ONCE = 48;

/** Read the colours of the theme in force. @param {HTMLElement} element */
export function inksOf(element) {
  const probe = document.createElement("span");
  element.append(probe);
  // A canvas knows no light-dark() nor var(): the colour of an element is plain.
  const inks = Object.fromEntries(
    INKS.map((name) => {
      probe.style.color = `var(${name})`;
      return [name, getComputedStyle(probe).color];
    }),
  );
  probe.remove();
  return inks;
}

/**
 * @param {import("./model.js").Line} line
 * @param {{lit: Set<any> | null, chosen: any, compared: boolean}} marks
 */
export function lookOf(line, marks) {
  if (line === marks.chosen) return "chosen";
  if (marks.lit && !marks.lit.has(line)) return "dim";
  if (marks.compared) return line.change === "same" ? (marks.lit ? lookAlone(line) : "dim") : line.change;
  if (marks.lit) return line.direct && line.certain ? "lit" : "lit-indirect";
  return lookAlone(line);
}

function lookAlone(line) {
  if (line.by_star) return "star";
  if (!line.certain) return "unsure";
  return line.direct ? "direct" : "indirect";
}

/** The commands of a line's curve: horizontal at each of its points. `to` has moveTo, lineTo and bezierCurveTo. */
export function trace(to, line, straight = false) {
  const [[x0, y0], ...rest] = line.points;
  to.moveTo(x0, y0);
  if (isLoop(line)) {
    const y = rest[0][1];
    const rise = Math.abs(y - y0) < 12 ? 16 : 6;
    to.bezierCurveTo(x0 + LOOP, y0 - rise, x0 + LOOP, y + rise, x0, y);
    return;
  }
  let x = x0;
  let y = y0;
  for (const [toX, toY] of rest) {
    const turn = (toX - x) / 2;
    if (straight || toY === y) to.lineTo(toX, toY);
    else to.bezierCurveTo(x + turn, y, toX - turn, toY, toX, toY);
    x = toX;
    y = toY;
  }
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {{lines: any[], shown: Uint8Array, blocks: any[]}} what lines of the model, and boxes drawn as plain blocks
 * @param {{view: import("./camera.js").View, width: number, height: number, ratio: number, inks: Record<string, string>,
 *   marks: any, quick: boolean}} how `quick`: while the picture moves, straight and without heads
 */
export function draw(context, what, how) {
  const { view, width, height, ratio, inks } = how;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.setTransform(ratio * view.k, 0, 0, ratio * view.k, ratio * view.x, ratio * view.y);
  const seen = { x0: -view.x / view.k, y0: -view.y / view.k, x1: (width - view.x) / view.k, y1: (height - view.y) / view.k };
  /** @type {Map<string, any[]>} */
  const looks = new Map(LOOKS.map(([name]) => [name, []]));
  let drawn = 0;
  for (const line of what.lines) {
    if (!what.shown[line.id]) continue;
    if (line.x1 < seen.x0 || line.x0 > seen.x1 || line.y1 < seen.y0 || line.y0 > seen.y1) continue;
    looks.get(lookOf(line, how.marks))?.push(line);
    drawn += 1;
  }
  const straight = view.k < 0.22 || (how.quick && drawn > 3000);
  for (const [name, look] of LOOKS) {
    const lines = looks.get(name) ?? [];
    if (!lines.length) continue;
    const ink = inks[look.ink];
    const thin = Math.min(1.6, 1 / view.k);
    context.strokeStyle = ink;
    context.fillStyle = ink;
    context.lineWidth = look.width * Math.max(thin, 0.6);
    context.setLineDash(view.k < 0.35 ? [] : look.dash);
    for (let at = 0; at < lines.length; at += AT_ONCE) {
      context.beginPath();
      for (const line of lines.slice(at, at + AT_ONCE)) trace(context, line, straight);
      context.stroke();
    }
    if (view.k > 0.4 && !(how.quick && drawn > 1500)) heads(context, lines);
  }
  context.setLineDash([]);
  for (const box of what.blocks) block(context, box, inks, view.k);
  return drawn;
}

function heads(context, lines) {
  context.beginPath();
  for (const line of lines) {
    const [x, y] = line.points[line.points.length - 1];
    const back = isLoop(line) || line.points[line.points.length - 2][0] > x ? 7 : -7;
    context.moveTo(x, y);
    context.lineTo(x + back, y - 3.5);
    context.lineTo(x + back, y + 3.5);
  }
  context.fill();
}

function block(context, box, inks, k) {
  const ink = { added: "--g-added", removed: "--g-removed", changed: "--g-changed" }[box.change];
  context.fillStyle = inks["--g-head"];
  context.strokeStyle = inks[box.start ? "--g-start" : (ink ?? "--g-edge")];
  context.lineWidth = 1 / k;
  context.fillRect(box.x, box.y, box.width, box.height);
  context.strokeRect(box.x, box.y, box.width, box.height);
}

/** The line shown nearest to a place of the picture, within so many of its pixels; null where there is none. */
export function lineAt(lines, shown, x, y, within) {
  let best = null;
  let nearest = within;
  for (const line of lines) {
    if (!shown[line.id] || x < line.x0 - within || x > line.x1 + within) continue;
    if (y < line.y0 - within || y > line.y1 + within) continue;
    const distance = distanceTo(line, x, y);
    if (distance < nearest) {
      nearest = distance;
      best = line;
    }
  }
  return best;
}

function distanceTo(line, x, y) {
  let nearest = Infinity;
  let last = null;
  const visit = (px, py) => {
    if (last) nearest = Math.min(nearest, toSegment(x, y, last[0], last[1], px, py));
    last = [px, py];
  };
  trace(
    {
      moveTo: visit,
      lineTo: visit,
      bezierCurveTo(ax, ay, bx, by, cx, cy) {
        const [sx, sy] = last;
        for (let i = 1; i <= 12; i += 1) {
          const t = i / 12;
          const u = 1 - t;
          visit(
            u * u * u * sx + 3 * u * u * t * ax + 3 * u * t * t * bx + t * t * t * cx,
            u * u * u * sy + 3 * u * u * t * ay + 3 * u * t * t * by + t * t * t * cy,
          );
        }
      },
    },
    line,
  );
  return nearest;
}

function toSegment(x, y, ax, ay, bx, by) {
  const [dx, dy] = [bx - ax, by - ay];
  const along = dx || dy ? Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy))) : 0;
  return Math.hypot(x - ax - along * dx, y - ay - along * dy);
}
