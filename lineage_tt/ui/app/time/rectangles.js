/** All that was ever believed of an edge: valid time from left to right, system time from below, a rectangle for each belief. */
import { html, useMemo, useRef, useState } from "../lib.js";
import { t } from "../texts.js";
import { formatTime } from "../times.js";
import { micros } from "./window.js";

const WIDTH = 340;
const HEIGHT = 190;
const LEFT = 6;
const AXIS_HEIGHT = 18;

/**
 * @param {{beliefs: any[], valid: string, system: string, now: number, onPoint?: (valid: string, system: string) => void}} props
 *   `beliefs` of `/v1/history`; `valid` and `system` are the point shown, `now` is in UTC microseconds
 */
export function Rectangles({ beliefs, valid, system, now, onPoint }) {
  const svg = useRef(/** @type {SVGSVGElement | null} */ (null));
  const [hover, setHover] = useState(/** @type {{x: number, y: number} | null} */ (null));
  const span = useMemo(() => spanOf(beliefs, micros(valid), micros(system), now), [beliefs, valid, system, now]);
  const x = (time) => LEFT + ((time - span.valid[0]) / (span.valid[1] - span.valid[0])) * (WIDTH - LEFT);
  const y = (time) => HEIGHT - AXIS_HEIGHT - ((time - span.system[0]) / (span.system[1] - span.system[0])) * (HEIGHT - AXIS_HEIGHT);
  const timeAt = (px, py) => [
    span.valid[0] + ((px - LEFT) / (WIDTH - LEFT)) * (span.valid[1] - span.valid[0]),
    span.system[0] + ((HEIGHT - AXIS_HEIGHT - py) / (HEIGHT - AXIS_HEIGHT)) * (span.system[1] - span.system[0]),
  ];
  const at = (event) => {
    const box = /** @type {SVGSVGElement} */ (svg.current).getBoundingClientRect();
    return { x: ((event.clientX - box.left) / box.width) * WIDTH, y: ((event.clientY - box.top) / box.height) * HEIGHT };
  };
  const cross = hover ?? { x: x(micros(valid)), y: y(micros(system)) };
  const [v, s] = timeAt(cross.x, cross.y).map(iso);
  const believed = beliefs.filter((each) => holds(each, micros(v), micros(s)));

  return html`<figure class="g-rects">
    <svg ref=${svg} viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label=${t("graph.rects.label", { n: beliefs.length })}
      onPointerMove=${(event) => setHover(at(event))} onPointerLeave=${() => setHover(null)}
      onClick=${(event) => {
        const place = at(event);
        const [valid, known] = timeAt(place.x, place.y).map(iso);
        onPoint?.(valid, known);
      }}>
      <rect class="g-ground" x=${LEFT} y="0" width=${WIDTH - LEFT} height=${HEIGHT - AXIS_HEIGHT} />
      ${now < span.valid[1] && html`<rect class="g-future" x=${x(now)} y="0" width=${WIDTH - x(now)} height=${HEIGHT - AXIS_HEIGHT} />`}
      ${beliefs.map((each) => {
        const [x0, x1] = [x(micros(each.valid_from)), each.valid_to ? x(micros(each.valid_to)) : WIDTH];
        const [y0, y1] = [y(micros(each.system_from)), each.system_to ? y(micros(each.system_to)) : 0];
        return html`<rect class=${each.system_to ? "g-belief g-past" : "g-belief"} x=${x0} y=${y1} width=${Math.max(1.5, x1 - x0)} height=${Math.max(1.5, y0 - y1)}><title>${words(each)}</title></rect>`;
      })}
      <path class="g-cross" d=${`M${cross.x} 0V${HEIGHT - AXIS_HEIGHT}M${LEFT} ${cross.y}H${WIDTH}`} />
      <text x=${LEFT} y=${HEIGHT - 4}>${formatTime(iso(span.valid[0]), { precision: "day" })}</text>
      <text x=${WIDTH} y=${HEIGHT - 4} text-anchor="end">${formatTime(iso(span.valid[1]), { precision: "day" })}</text>
      <text class="g-axis-name" x=${WIDTH / 2} y=${HEIGHT - 4} text-anchor="middle">${t("graph.rects.valid")} →</text>
      <text class="g-axis-name" transform=${`translate(${LEFT + 11} ${HEIGHT - AXIS_HEIGHT - 6}) rotate(-90)`}>${t("graph.rects.system")} →</text>
    </svg>
    <figcaption aria-live="off">${t(believed.length ? "graph.rects.held" : "graph.rects.not", { valid: formatTime(v), system: formatTime(s) })}</figcaption>
    <ul class="sr-only">${beliefs.map((each) => html`<li>${words(each)}</li>`)}</ul>
  </figure>`;
}

function words(each) {
  return t("graph.rects.words", {
    from: formatTime(each.valid_from),
    to: each.valid_to ? formatTime(each.valid_to) : "∞",
    since: formatTime(each.system_from),
    until: each.system_to ? formatTime(each.system_to) : "∞",
    version: each.version,
  });
}

function holds(each, valid, system) {
  return (
    micros(each.valid_from) <= valid &&
    (!each.valid_to || valid < micros(each.valid_to)) &&
    micros(each.system_from) <= system &&
    (!each.system_to || system < micros(each.system_to))
  );
}

function spanOf(beliefs, valid, system, now) {
  const span = (times) => {
    const [low, high] = [Math.min(...times), Math.max(...times)];
    const room = Math.max(3_600_000_000, (high - low) * 0.06);
    return [low - room, high + room];
  };
  const ends = (from, to) =>
    beliefs
      .flatMap((each) => [each[from], each[to]])
      .filter(Boolean)
      .map(micros);
  return { valid: span([...ends("valid_from", "valid_to"), valid]), system: span([...ends("system_from", "system_to"), system]), now };
}

function iso(time) {
  return new Date(time / 1000).toISOString();
}
