/**
 * Points in one word, as the API takes them: `VALID_AT`, `VALID_AT@SYSTEM_AT` or `VALID_AT@vVERSION`; "" is now, as known now.
 * @typedef {{valid: string, system: string, version: number | null}} Point   empty strings: now
 */

/** Take a point apart. Anything is accepted; the server judges times. @param {string | undefined} word @returns {Point} */
export function readPoint(word) {
  const text = word || "";
  const cut = text.indexOf("@");
  const valid = cut < 0 ? text : text.slice(0, cut);
  const known = cut < 0 ? "" : text.slice(cut + 1);
  const version = /^v(\d+)$/.exec(known);
  return { valid: valid === "now" ? "" : valid, system: version ? "" : known, version: version ? Number(version[1]) : null };
}

/** Put a point together; the shortest word that means it. @param {Partial<Point>} point */
export function pointWord({ valid = "", system = "", version = null }) {
  const known = version !== null ? `@v${version}` : system ? `@${system}` : "";
  return known ? `${valid || "now"}${known}` : valid;
}

/** The same point as the parameters of /v1/lineage and its like. @param {string | undefined} word */
export function pointParams(word) {
  const { valid, system, version } = readPoint(word);
  return { valid_at: valid || null, system_at: system || null, version };
}

/** The point that an answer was read at, which never moves. @param {{valid_at: string | null, version: number}} basis */
export function basisWord(basis) {
  return pointWord({ valid: basis.valid_at || "", version: basis.version });
}
