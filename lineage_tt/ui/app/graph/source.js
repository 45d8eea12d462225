/**
 * Where pictures come from. First the picture at the point asked; then, behind it, one layout for a window of change points around
 * it, in which a step of the slider needs no answer and moves nothing.
 */
import { get } from "../api.js";
import { signal } from "../lib.js";
import { pointWord, readPoint } from "../points.js";
import { lastUpTo, micros, MAX_POINTS, roomFor, settle } from "../time/window.js";
import { modelOf } from "./model.js";

/**
 * @typedef {{times: number[], isos: string[], weights: number[], current: number, first: number, last: number}} Axis
 *   change points in order (`times`: microseconds of valid time, or versions), which of them is shown, which the picture holds
 * @typedef {{status: "idle" | "loading" | "ready" | "failed", problem?: any, model?: any, point: number, settled: boolean, basis?: any,
 *   completeness?: any, axis?: Axis, along: "valid" | "system"}} Source
 */

export function makeSource() {
  const state = signal(/** @type {Source} */ ({ status: "idle", point: 0, settled: false, along: "valid" }));
  let turn = 0;
  let abort = new AbortController();
  let asked = "";
  /** Weights and texts of the change points by their time. @type {Map<number, {iso: string, weight: number}>} */
  let known = new Map();

  /**
   * @param {Record<string, any>} question node, direction, depth, level, direct_only
   * @param {string} word the point in one word
   * @param {"valid" | "system"} along which axis the window is on
   */
  async function open(question, word, along) {
    const now = state.value;
    const key = JSON.stringify([question, along, along === "valid" ? fixedOf(word).system : fixedOf(word).valid]);
    if (key === asked && now.axis && stepTo(word)) return;
    const again = key === asked && now.axis ? now.axis : null;
    asked = key;
    abort.abort();
    abort = new AbortController();
    const { signal: stop } = abort;
    turn += 1;
    const mine = turn;
    const late = () => mine !== turn || stop.aborted;
    state.value = { ...now, status: now.model ? now.status : "loading", settled: false };
    if (!again) known = new Map();
    const alone = await get("/v1/layout", { ...question, at: word }, { signal: stop });
    if (late()) return;
    if (!alone.ok) {
      asked = "";
      state.value = { ...now, status: "failed", problem: alone.problem, model: undefined, settled: true, along };
      return;
    }
    const basis = alone.data.basis[0];
    const show = (more) => {
      state.value = { status: "ready", point: 0, settled: false, along, basis, axis: again ?? undefined, ...more };
    };
    const single = { model: modelOf(alone.data), completeness: alone.data.completeness[0] };
    if (!again || !now.model) show(single);
    const moment = along === "valid" ? micros(basis.valid_at) : basis.version;
    const wordOf = (time) => (along === "valid" ? `${known.get(time)?.iso}@v${basis.version}` : `${basis.valid_at}@v${time}`);
    const ask = async (words) => {
      const newest = along === "system" ? [`${basis.valid_at}`] : [];
      const found = await get("/v1/timeline", { ...question, at: [...words.slice(0, MAX_POINTS - newest.length), ...newest].join(",") }, { signal: stop });
      if (!found.ok) throw found.problem;
      return timesOf(found.data.result, along);
    };
    try {
      const { times, first, last } = await settle(ask, wordOf, `${basis.valid_at}@v${basis.version}`, moment, roomFor(single.model.lines.length), (early) => {
        // The slider is there at once; a step before the window has come asks for its point alone.
        if (!late() && !again) show({ ...single, axis: axisOf(early, moment, 0, -1) });
      });
      if (late()) return;
      const axis = axisOf(times, moment, first, last);
      const { current } = axis;
      if (current < first || last < first || !times.length) {
        show({ ...single, axis: { ...axis, last: -1 }, settled: true });
        return;
      }
      const words = times.slice(first, last + 1).map(wordOf);
      const whole = await get("/v1/layout", { ...question, at: words.join(",") }, { signal: stop });
      if (late()) return;
      // A window may hold more than a picture can: then the point alone is shown.
      if (!whole.ok) show({ ...single, axis: { ...axis, last: -1 }, settled: true });
      else show({ model: modelOf(whole.data), completeness: whole.data.completeness[current - first], point: current - first, axis, settled: true });
    } catch (problem) {
      if (!late()) show({ ...single, settled: true, problem });
    }
  }

  function axisOf(times, moment, first, last) {
    const [isos, weights] = [times.map((time) => known.get(time)?.iso ?? ""), times.map((time) => known.get(time)?.weight ?? 1)];
    return { times, isos, weights, current: lastUpTo(times, moment), first, last };
  }

  function timesOf(result, along) {
    const rows = along === "valid"
      ? result.points.map((each) => [micros(each.valid_at), each.valid_at, each.begins + each.ends])
      : result.known.map((each) => [each.version, each.system_time, each.plus + each.minus]);
    for (const [time, iso, weight] of rows) known.set(time, { iso, weight: Math.max(weight, known.get(time)?.weight ?? 0) });
    return rows.map(([time]) => time);
  }

  /** Show another point of the picture at hand; false where it has it not. */
  function stepTo(word) {
    const now = state.value;
    const { axis, along, basis } = now;
    if (!axis || !now.settled || axis.last < 0) return false;
    const { valid, system, version } = readPoint(word);
    let moment;
    if (along === "valid") moment = valid ? micros(valid) : Date.now() * 1000;
    else if (version !== null) moment = version;
    else moment = system ? axis.times[lastUpTo(axis.isos.map(micros), micros(system))] : axis.times[axis.times.length - 1];
    if (!Number.isFinite(moment)) return false;
    const current = lastUpTo(axis.times, moment);
    if (current < axis.first || current > axis.last) return false;
    // Beyond the last point of the window, up to the next change, the picture is that of the last point.
    const valid_at = along === "valid" ? valid || new Date().toISOString() : basis.valid_at;
    const next = along === "valid" ? { ...basis, valid_at } : { ...basis, version: axis.times[current], system_time: axis.isos[current] };
    const point = current - axis.first;
    state.value = { ...now, point, basis: next, completeness: now.model.completeness[point], axis: { ...axis, current } };
    return true;
  }

  return { state, open, stop: () => abort.abort() };
}

function fixedOf(word) {
  const { valid, system, version } = readPoint(word);
  return { valid, system: version === null ? system : `v${version}` };
}

/** The point at another stop of an axis, the other time as it was. @param {string} word @param {Axis} axis @param {"valid" | "system"} along @param {number} index */
export function wordAt(word, axis, along, index) {
  const point = readPoint(word);
  if (along === "valid") return pointWord({ ...point, valid: axis.isos[index] });
  return pointWord({ valid: point.valid, version: axis.times[index] });
}
