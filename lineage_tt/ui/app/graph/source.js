/**
 * Where pictures come from. First the picture at the point asked; then one layout for a window of change points around it, in which a
 * step of the slider needs no answer. Near an end of the window the next one is loaded ahead. All windows have the places of the same
 * layout, that of all change points (or of as many as a layout takes), so that no step moves anything.
 */
import { get } from "../api.js";
import { signal } from "../lib.js";
import { pointParams, pointWord, readPoint } from "../points.js";
import { lastUpTo, micros, roomFor, settle, spanFor, windowAround } from "../time/window.js";
import { modelOf } from "./model.js";

/**
 * @typedef {{times: number[], isos: string[], weights: number[], current: number, first: number, last: number}} Axis
 *   change points in order (`times`: microseconds of valid time, or versions), which of them is shown, which the picture holds
 * @typedef {{status: "idle" | "loading" | "ready" | "failed", problem?: any, model?: any, point: number, settled: boolean, word: string, basis?: any,
 *   completeness?: any, axis?: Axis, along: "valid" | "system"}} Source   `word`: the point that the rest is of
 */

export function makeSource() {
  const state = signal(/** @type {Source} */ ({ status: "idle", point: 0, settled: false, word: "", along: "valid" }));
  let turn = 0;
  let abort = new AbortController();
  let asked = "";
  /** What is asked. @type {Record<string, any>} */
  let asking = {};
  /** The window after or before the one shown, where it is there. @type {{model: any, axis: Axis} | null} */
  let ahead = null;
  /** The stop around which a window is being loaded ahead; -1: none. */
  let loading = -1;
  /** Load the window around a stop. @type {(moment: number, lines: number, found?: (times: number[]) => void) => Promise<{model: any, axis: Axis, problem?: any}>} */
  let load = () => Promise.reject(new Error("nothing is asked"));
  /** All change points of the question, where they are known and one layout holds them. @type {{times: number[], version: number} | null} */
  let whole = null;
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
    asking = question;
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
      state.value = { ...now, status: "failed", problem: alone.problem, model: undefined, settled: true, word, along };
      return;
    }
    const basis = alone.data.basis[0];
    const show = (more) => {
      state.value = { status: "ready", point: 0, settled: false, word, along, basis, axis: again ?? undefined, ...more };
    };
    const single = { model: modelOf(alone.data), completeness: alone.data.completeness[0] };
    if (!again || !now.model) show(single);
    const moment = along === "valid" ? micros(basis.valid_at) : basis.version;
    const wordOf = (time) => (along === "valid" ? `${known.get(time)?.iso}@v${basis.version}` : `${basis.valid_at}@v${time}`);
    const ask = async (words) => {
      const [first, ...others] = along === "system" ? [`${basis.valid_at}`, ...words] : words; // known are the changes up to the latest point
      const found = await get("/v1/timeline", { ...question, at: first, also: others.join(",") }, { signal: stop });
      if (!found.ok) throw found.problem;
      return timesOf(found.data.result, along);
    };
    ahead = null;
    loading = -1;
    if (!again || along === "system" || whole?.version !== basis.version) whole = null;
    load = async (around, lines, found) => {
      const here = around === moment ? `${basis.valid_at}@v${basis.version}` : wordOf(around);
      const span = whole ? { times: whole.times, first: 0, last: whole.times.length - 1 } : await settle(ask, wordOf, here, around, spanFor(lines), found);
      const { times } = span;
      const none = { model: null, axis: axisOf(times, around, 0, -1) };
      const current = lastUpTo(times, around);
      if (current < span.first || current > span.last) return none;
      if (span.first === 0 && span.last === times.length - 1) whole = { times, version: basis.version };
      const all = times.slice(span.first, span.last + 1).map(wordOf);
      const [low, high] = windowAround(all.length, current - span.first, roomFor(lines));
      const asked = { ...question, at: all.slice(low, high + 1).join(",") };
      let answer = await get("/v1/layout", high - low + 1 < all.length ? { ...asked, also: all.join(",") } : asked, { signal: stop });
      // All change points may be more than a layout holds, and a window, too: then the point alone is shown.
      if (!answer.ok && !stop.aborted && high - low + 1 < all.length) answer = await get("/v1/layout", asked, { signal: stop });
      return answer.ok ? { model: modelOf(answer.data), axis: axisOf(times, around, low + span.first, high + span.first) } : none;
    };
    try {
      const { model, axis } = await load(moment, single.model.lines.length, (early) => {
        // The slider is there at once; a step before the window has come asks for its point alone.
        if (!late() && !again) show({ ...single, axis: axisOf(early, moment, 0, -1) });
      });
      if (late()) return;
      if (!model) show({ ...single, axis, settled: true });
      else {
        const point = axis.current - axis.first;
        show({ ...single, model, point, axis, settled: true });
        lookAhead();
      }
    } catch (problem) {
      if (!late()) show({ ...single, settled: true, problem });
    }
  }

  /** Load the next window where the point shown is near an end of its own. */
  async function lookAhead() {
    const { axis, model } = state.value;
    if (!axis || axis.last < 0 || loading >= 0) return;
    const { times, current, first, last } = axis;
    const near = Math.max(2, (last - first) >> 2);
    const edge = first > 0 && current - first <= near ? first : last < times.length - 1 && last - current <= near ? last : -1;
    if (edge < 0 || (ahead && times[edge] > ahead.axis.times[ahead.axis.first] && times[edge] < ahead.axis.times[ahead.axis.last])) return;
    const mine = turn;
    loading = edge;
    const next = await load(times[edge], model.lines.length).catch(() => null);
    if (mine !== turn) return;
    loading = -1;
    ahead = next?.model ? next : null;
  }

  function axisOf(times, moment, first, last) {
    const [isos, weights] = [times.map((time) => known.get(time)?.iso ?? ""), times.map((time) => known.get(time)?.weight ?? 1)];
    return { times, isos, weights, current: lastUpTo(times, moment), first, last };
  }

  function timesOf(result, along) {
    const rows =
      along === "valid"
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
    const { valid } = readPoint(word);
    const moment = momentOf(word, axis, along);
    if (!Number.isFinite(moment)) return false;
    let shown = { model: now.model, axis };
    let current = lastUpTo(axis.times, moment);
    if ((current < axis.first || current > axis.last) && ahead) {
      shown = ahead;
      current = lastUpTo(ahead.axis.times, moment);
    }
    if (current < shown.axis.first || current > shown.axis.last) return false;
    if (shown === ahead) ahead = { model: now.model, axis }; // one may turn round
    // Beyond the last point of the window, up to the next change, the picture is that of the last point.
    const valid_at = along === "valid" ? valid || new Date().toISOString() : basis.valid_at;
    const next = along === "valid" ? { ...basis, valid_at } : { ...basis, version: shown.axis.times[current], system_time: shown.axis.isos[current] };
    const point = current - shown.axis.first;
    const exact = shown.axis.times[current] === moment;
    const completeness = exact ? shown.model.completeness[point] : undefined;
    state.value = { ...now, model: shown.model, point, word, basis: next, completeness, axis: { ...shown.axis, current } };
    if (!exact) know(word);
    lookAhead();
    return true;
  }

  /** Ask how much is known at a point between two changes of the picture's edges: a task may become partial without one. */
  async function know(word) {
    const found = await get("/v1/lineage", { ...asking, ...pointParams(word), edges: false, limit: 1 }, { signal: abort.signal });
    if (found.ok && state.value.word === word) state.value = { ...state.value, completeness: found.data.completeness };
  }

  return { state, open, stop: () => abort.abort() };
}

function fixedOf(word) {
  const { valid, system, version } = readPoint(word);
  return { valid, system: version === null ? system : `v${version}` };
}

/**
 * Where a word is on an axis, in the unit of its `times`; NaN for what is not a time, and before all that was known.
 * @param {string} word @param {{times: number[], isos: string[]}} axis @param {"valid" | "system"} along
 */
export function momentOf(word, axis, along) {
  const { valid, system, version } = readPoint(word);
  if (along === "valid") return valid ? micros(valid) : Date.now() * 1000;
  if (version !== null) return version;
  const known = system ? lastUpTo(axis.isos.map(micros), micros(system)) : axis.times.length - 1;
  return axis.times[known] ?? Number.NaN;
}

/**
 * The last stop that is not after a word, -1 before all, and whether it is the word's own moment.
 * @param {string} word @param {{times: number[], isos: string[]}} axis @param {"valid" | "system"} along
 */
export function stopOf(word, axis, along) {
  const moment = momentOf(word, axis, along);
  const index = lastUpTo(axis.times, moment);
  return { index, exact: axis.times[index] === moment };
}

/** The point at another stop of an axis, the other time as it was. @param {string} word @param {Axis} axis @param {"valid" | "system"} along @param {number} index */
export function wordAt(word, axis, along, index) {
  const point = readPoint(word);
  if (along === "valid") return pointWord({ ...point, valid: axis.isos[index] });
  return pointWord({ valid: point.valid, version: axis.times[index] });
}
