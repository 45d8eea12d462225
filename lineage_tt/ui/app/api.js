/**
 * Asking the service. An answer or an error is a value, never a throw:
 * `{ok: true, data, etag}` or `{ok: false, problem: {code, status, title, detail, hint, near, errors}}`.
 */
import { signal, useCallback, useEffect, useRef, useState } from "./lib.js";

/** @typedef {{code: string, status: number, title: string, detail: string, hint?: string, near?: string[], errors?: {where: string, problem: string}[]}} Problem */
/** @typedef {{ok: true, data: any, etag: string | null} | {ok: false, problem: Problem}} Answer */

/** What `/v1/session` says; null before it is known. @type {{value: null | {needed: boolean, held: boolean, rights: string[]}}} */
export const session = signal(/** @type {any} */ (null));

/** Whether the viewer may send messages, replay dead letters and subscribe. */
export function mayWrite() {
  return Boolean(session.value?.rights.includes("write"));
}

const MAX_KEPT = 100;
/** Answers by URL, the one used longest ago first. @type {Map<string, {etag: string | null, data: any, fixed: boolean}>} */
const kept = new Map();

/** A path with its query; null, undefined and "" are left out. @param {string} path @param {Record<string, unknown>} params */
export function urlFor(path, params = {}) {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(params)) if (value !== null && value !== undefined && value !== "") query.append(key, String(value));
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}

/** What was asked before the page that wants it was there, by URL. @type {Map<string, Promise<Answer>>} */
const early = new Map();

/** Ask for what a page will ask for first. @param {string} path @param {Record<string, unknown>} params */
export function getEarly(path, params) {
  const url = urlFor(path, params);
  if (!early.has(url)) early.set(url, get(path, params));
}

/** @param {string} path @param {Record<string, unknown>} params @param {{signal?: AbortSignal}} options @returns {Promise<Answer>} */
export async function get(path, params = {}, { signal } = {}) {
  const url = urlFor(path, params);
  const begun = early.get(url);
  if (begun && early.delete(url)) {
    const answer = await begun;
    if (answer.ok || answer.problem.status !== 401) return answer; // without the token: asked again once it is there
  }
  const known = kept.get(url);
  if (known?.fixed) return { ok: true, data: known.data, etag: known.etag };
  return ask(url, { signal, headers: known?.etag ? { "If-None-Match": known.etag } : {} }, known);
}

/** @param {string} path @param {unknown} body @param {{signal?: AbortSignal, headers?: Record<string, string>}} options @returns {Promise<Answer>} */
export function post(path, body, { signal, headers = {} } = {}) {
  return ask(path, { method: "POST", signal, body: JSON.stringify(body), headers: { "Content-Type": "application/json", ...headers } });
}

/** @param {string} path @param {Record<string, unknown>} params @returns {Promise<Answer>} */
export function del(path, params = {}) {
  return ask(urlFor(path, params), { method: "DELETE" });
}

/** @param {string} url @param {RequestInit} init @param {{etag: string | null, data: any}} [known] @returns {Promise<Answer>} */
async function ask(url, init, known) {
  let answer;
  let text;
  try {
    answer = await fetch(url, { ...init, credentials: "same-origin", cache: "no-store" });
    text = await answer.text();
  } catch (error) {
    const code = init.signal?.aborted ? "aborted" : "offline";
    return { ok: false, problem: { code, status: 0, title: code, detail: String(error) } };
  }
  const etag = answer.headers.get("ETag");
  if (answer.status === 304 && known) return { ok: true, data: known.data, etag: known.etag };
  let data = null;
  try {
    data = text ? JSON.parse(text) : null;
  } catch {}
  if (answer.ok && data !== null) {
    if (etag && (!init.method || init.method === "GET")) keep(url, { etag, data, fixed: /immutable/.test(answer.headers.get("Cache-Control") || "") });
    return { ok: true, data, etag };
  }
  if (answer.status === 401 && session.value) session.value = { ...session.value, needed: true, held: false };
  return { ok: false, problem: problemOf(answer.status, data, text) };
}

/** @param {string} url @param {{etag: string | null, data: any, fixed: boolean}} entry */
function keep(url, entry) {
  kept.delete(url);
  kept.set(url, entry);
  if (kept.size > MAX_KEPT) kept.delete(/** @type {string} */ (kept.keys().next().value));
}

/** @param {number} status @param {any} data @param {string} text @returns {Problem} */
export function problemOf(status, data, text) {
  if (data && typeof data === "object" && typeof data.type === "string") {
    return { ...data, code: data.type.split(":").pop(), status, title: String(data.title || ""), detail: String(data.detail || "") };
  }
  return { code: "error", status, title: `HTTP ${status}`, detail: text.slice(0, 500) };
}

/** Forget all answers: another person has signed in, or signed out. */
export function forget() {
  kept.clear();
}

/** Ask who we are. */
export async function loadSession() {
  const answer = await get("/v1/session");
  // A service without sessions (an older one) asks for no token that we could give.
  session.value = answer.ok ? answer.data.result : { needed: false, held: true, rights: ["read"] };
}

/** @param {string} token @returns {Promise<Answer>} */
export async function signIn(token) {
  const answer = await post("/v1/session", { token });
  forget();
  if (answer.ok) session.value = answer.data.result;
  return answer;
}

/** End the session. */
export async function signOut() {
  await del("/v1/session");
  forget();
  await loadSession();
}

/**
 * An answer for a component: asked again where path or parameters change; an older request is aborted. `path` null: nothing is asked.
 * While the next answer comes, the last one stays with `loading` true; `stale` tells that it is of other parameters.
 * @param {string | null} path @param {Record<string, unknown>} params
 * @returns {{data: any, problem: Problem | null, loading: boolean, stale: boolean, reload: () => void}}
 */
export function useAnswer(path, params = {}) {
  const url = path === null ? null : urlFor(path, params);
  const [turn, setTurn] = useState(0);
  const [held, setHeld] = useState(
    /** @type {{url: string | null, data: any, problem: Problem | null, done: boolean}} */ ({ url: null, data: null, problem: null, done: false }),
  );
  const last = useRef(held);
  last.current = held;
  useEffect(() => {
    if (url === null) return undefined;
    const abort = new AbortController();
    setHeld({ url: last.current.url, data: last.current.data, problem: null, done: false });
    get(url, {}, { signal: abort.signal }).then((answer) => {
      if (abort.signal.aborted) return;
      if (answer.ok) setHeld({ url, data: answer.data, problem: null, done: true });
      else setHeld({ url, data: null, problem: answer.problem, done: true });
    });
    return () => abort.abort();
  }, [url, turn, session.value?.held]);
  const reload = useCallback(() => setTurn((value) => value + 1), []);
  const current = held.done && held.url === url;
  if (url === null) return { data: null, problem: null, loading: false, stale: false, reload };
  return { data: held.data, problem: current ? held.problem : null, loading: !current, stale: held.data !== null && held.url !== url, reload };
}
