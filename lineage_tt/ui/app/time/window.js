/**
 * Which moments a picture is asked for at once. Between two change points nothing changes, so a picture at each of them says
 * all; and a layout over many of them holds still while one steps from one to the next.
 */

/** @typedef {{valid_at: string, begins: number, ends: number}} ChangePoint */

/** The API draws so many points. */
export const MAX_POINTS = 64;
/** So many lines times points are a quick answer; a larger picture gets a smaller window. */
const MAX_MARKS = 240_000;

/** As many points may count for the places of one layout. */
const MAX_SPAN = 512;
/** So many lines times points are walked while one looks at the first picture. */
const MAX_WALKED = 2_400_000;

/** How many change points the places of a picture of so many lines are shared by. @param {number} lines */
export function spanFor(lines) {
  return Math.max(MAX_POINTS, Math.min(MAX_SPAN, Math.floor(MAX_WALKED / Math.max(1, lines))));
}

/** How many points to ask for, for a picture of so many lines. @param {number} lines */
export function roomFor(lines) {
  return Math.max(4, Math.min(MAX_POINTS, Math.floor(MAX_MARKS / Math.max(1, lines))));
}

/** A time in microseconds as a comparable number: ISO 8601 in UTC with up to six digits. @param {string} iso */
export function micros(iso) {
  const cut = /^(.*?)(?:\.(\d{1,6}))?Z$/.exec(iso);
  if (!cut) return Date.parse(iso) * 1000;
  return Date.parse(`${cut[1]}Z`) * 1000 + Number((cut[2] ?? "").padEnd(6, "0"));
}

/** The last of the times that is not after a moment; -1: all are after it. @param {number[]} times in order @param {number} moment */
export function lastUpTo(times, moment) {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] <= moment) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The time nearest to a moment. @param {number[]} times in order @param {number} moment */
export function nearestTo(times, moment) {
  const before = lastUpTo(times, moment);
  if (before < 0) return 0;
  if (before === times.length - 1) return before;
  return times[before + 1] - moment < moment - times[before] ? before + 1 : before;
}

/** The first and the last index of a window of so many points with one in its middle. @param {number} count @param {number} current @param {number} room */
export function windowAround(count, current, room) {
  const first = Math.max(0, Math.min(current - (room >> 1), count - room));
  return [first, Math.min(count, first + room) - 1];
}

/**
 * Find the change points near a moment, all of them: the picture at each may have nodes that it has not at the others, and
 * those change at moments of their own. So it is asked again with what was found until nothing new comes.
 * @param {(words: string[]) => Promise<number[]>} ask times of change of what the picture shows at any of these points
 * @param {(time: number) => string} word the point in one word
 * @param {string} here the point that is shown
 * @param {number} moment
 * @param {number} room
 * @param {(times: number[]) => void} [found] told what the first answer has
 * @returns {Promise<{times: number[], first: number, last: number}>} `times`: all that is known of; the window is first to last, and
 *   empty where new ones still came at the end: then a point between two of them may differ from both
 */
export async function settle(ask, word, here, moment, room, found) {
  let times = await ask([here]);
  found?.(times);
  let current = Math.max(0, lastUpTo(times, moment));
  let [first, last] = windowAround(times.length, current, room);
  for (let round = 0; round < 6 && times.length; round += 1) {
    const asked = times.slice(first, last + 1);
    const more = await ask(asked.map(word));
    const all = [...new Set([...times, ...more])].sort((a, b) => a - b);
    current = Math.max(0, lastUpTo(all, moment));
    const [nextFirst, nextLast] = windowAround(all.length, current, room);
    const same = all.slice(nextFirst, nextLast + 1).join() === asked.join();
    [times, first, last] = [all, nextFirst, nextLast];
    if (same) return { times, first, last };
  }
  return { times, first, last: -1 };
}
