/** A slider over time: its track is a histogram of what changes, it stops at change points, and what is planned is hatched. */
import { html, useEffect, useMemo, useRef, useState } from "../lib.js";
import { t } from "../texts.js";
import { formatTime, Time } from "../times.js";
import { nearestTo } from "./window.js";

const BINS = 160;
const DAY_US = 86_400_000_000;

/**
 * @param {{name: string, times: number[], weights: number[], isos: string[], current: number, moment: number, future: number,
 *   pins?: {letter: string, time: number}[], stop: () => {index: number, exact: boolean},
 *   onStep: (index: number, done: boolean) => void, keys?: boolean}} props
 *   times in UTC microseconds, in order; `moment` is the time shown, `future` the time after which all is planned; `stop` says where
 *   the address is, which is ahead of what is shown while a step is drawn
 */
export function Slider({ name, times, weights, isos, current, moment, future, pins = [], stop, onStep, keys }) {
  const track = useRef(/** @type {HTMLElement | null} */ (null));
  const [held, setHeld] = useState(-1);
  const [near, setNear] = useState(1);
  const range = useMemo(() => rangeOf(times, moment, near), [times, near, near > 1 ? moment : 0]);
  const bars = useMemo(() => barsOf(times, weights, range, future), [times, weights, range, future]);
  const place = (time) => Math.max(0, Math.min(100, (100 * (time - range[0])) / (range[1] - range[0])));
  const to = (index) => onStep(Math.max(0, Math.min(times.length - 1, index)), true);
  /** So many stops from where the address is; the first one back from between two is the earlier of them. */
  const step = (count) => {
    const { index, exact } = stop();
    to(index + count + (count < 0 && !exact ? 1 : 0));
  };

  // Always that of the last render: effects run after the paint, and a key may come between.
  const hear = useRef(/** @type {(event: any) => void} */ (() => {}));
  hear.current = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || /INPUT|TEXTAREA|SELECT/.test(event.target?.tagName)) return;
    if (event.key === "[") step(-1);
    else if (event.key === "]") step(1);
    else return;
    event.preventDefault();
  };
  useEffect(() => {
    if (!keys) return undefined;
    const listen = (event) => hear.current(event);
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, [keys]);

  const timeAt = (event) => {
    const box = /** @type {HTMLElement} */ (track.current).getBoundingClientRect();
    return range[0] + ((range[1] - range[0]) * (event.clientX - box.left)) / box.width;
  };
  const pick = (event, done) => {
    const index = nearestTo(times, timeAt(event));
    if (done || index !== held) onStep(index, done);
    setHeld(done ? -1 : index);
  };
  const onKey = (event) => {
    const moves = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 };
    if (event.key in moves) step(moves[event.key]);
    else if (event.key === "Home") to(0);
    else if (event.key === "End") to(times.length - 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return html`<div class="g-slider">
    <button type="button" class="g-step" title=${`${t("graph.time.earlier")} [`} aria-label=${t("graph.time.earlier")} disabled=${!times.length || moment <= times[0]} onClick=${() => step(-1)}>‹</button>
    <div class="g-track" ref=${track} role="slider" tabindex="0" aria-label=${name} aria-valuemin="0" aria-valuemax=${Math.max(0, times.length - 1)}
      aria-valuenow=${Math.max(0, current)} aria-valuetext=${current >= 0 ? t("graph.time.value", { at: formatTime(isos[current]), n: current + 1, of: times.length }) : ""}
      onKeyDown=${onKey}
      onPointerDown=${(event) => {
        if (event.button) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        pick(event, false);
      }}
      onPointerMove=${(event) => {
        if (event.buttons & 1 && held >= 0) pick(event, false);
      }}
      onPointerUp=${(event) => {
        if (held >= 0) pick(event, true);
      }}
      onPointerCancel=${() => setHeld(-1)}>
      <svg class="g-bars" viewBox=${`0 0 ${BINS} 100`} preserveAspectRatio="none" aria-hidden="true">
        <defs><pattern id="g-hatch" width="1.2" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(20)"><rect class="g-hatch" width=".5" height="8" /></pattern></defs>
        ${future < range[1] && html`<rect class="g-future" x=${(place(future) * BINS) / 100} y="0" width=${BINS - (place(future) * BINS) / 100} height="100" />`}
        ${bars.map((bar) => html`<rect class=${bar.planned ? "g-planned" : "g-bar"} x=${bar.at + 0.1} y=${100 - bar.height} width=".8" height=${bar.height} fill=${bar.planned ? "url(#g-hatch)" : null} />`)}
      </svg>
      ${pins.map((pin) => html`<span class="g-pin" key=${pin.letter} style=${{ left: `${place(pin.time)}%` }}>${pin.letter}</span>`)}
      <span class="g-thumb" style=${{ left: `${place(moment)}%` }}></span>
    </div>
    <button type="button" class="g-step" title=${`${t("graph.time.later")} ]`} aria-label=${t("graph.time.later")} disabled=${current >= times.length - 1} onClick=${() => step(1)}>›</button>
    <div class="g-axis">${ticksOf(range).map((tick) => html`<span style=${{ left: `${place(tick.time)}%` }}><${Time} at=${tick.iso} precision="day" /></span>`)}</div>
    <div class="g-near" role="group" aria-label=${t("graph.time.near")}>
      <button type="button" aria-label=${t("graph.time.wider")} title=${t("graph.time.wider")} disabled=${near <= 1} onClick=${() => setNear(near / 4)}>−</button>
      <button type="button" aria-label=${t("graph.time.nearer")} title=${t("graph.time.nearer")} disabled=${near >= 1024} onClick=${() => setNear(near * 4)}>+</button>
    </div>
  </div>`;
}

/** What the track spans: all change points and the moment shown with some room, or a part of it around the moment. */
function rangeOf(times, moment, near) {
  const low = Math.min(times[0] ?? moment, moment);
  const high = Math.max(times[times.length - 1] ?? moment, moment);
  const room = Math.max(DAY_US / 24, (high - low) * 0.02);
  const whole = high - low + 2 * room;
  if (near <= 1) return [low - room, high + room];
  const first = Math.max(low - room, Math.min(high + room - whole / near, moment - whole / near / 2));
  return [first, first + whole / near];
}

function barsOf(times, weights, [low, high], future) {
  const bins = new Map();
  times.forEach((time, i) => {
    if (time < low || time > high) return;
    const at = Math.min(BINS - 1, Math.floor(((time - low) / (high - low)) * BINS));
    const planned = time > future;
    const bin = bins.get(`${at}${planned}`) ?? { at, planned, weight: 0 };
    bin.weight += weights[i] || 1;
    bins.set(`${at}${planned}`, bin);
  });
  const found = [...bins.values()];
  const most = Math.max(1, ...found.map((bin) => bin.weight));
  return found.map((bin) => ({ ...bin, height: 14 + (86 * Math.log1p(bin.weight)) / Math.log1p(most) }));
}

function ticksOf([low, high]) {
  return [0.06, 0.28, 0.5, 0.72, 0.94].map((share) => {
    const time = low + (high - low) * share;
    return { time, iso: new Date(time / 1000).toISOString() };
  });
}
