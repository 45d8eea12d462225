/** Which lines are shown: by kind of edge, namespace, owner and label. All of it is in the address. */
import { get } from "../api.js";
import { html, useEffect, useMemo, useState } from "../lib.js";
import { set } from "../state.js";
import { t } from "../texts.js";

/** So many subjects of an owner or label the service names; a filter by one of more says that it does not know all. */
const MAX_SUBJECTS = 200;
/** @typedef {{name: string, subject: string, valid_from: string | null, valid_to: string | null}} Hit */

/** What an owner or a label was said of, ever, each with when. @param {string} kind @param {string} name @returns {Promise<Hit[]>} */
async function subjectsOf(kind, name) {
  const found = await get("/v1/search", { q: name, kind, limit: MAX_SUBJECTS });
  return found.ok ? found.data.result.filter((/** @type {Hit} */ hit) => hit.name.toLowerCase() === name.toLowerCase()) : [];
}

/** Those of which it holds at a moment. @param {Hit[]} hits @param {string} moment */
function holding(hits, moment) {
  const now = Date.parse(moment);
  const within = (hit) => (!hit.valid_from || Date.parse(hit.valid_from) <= now) && (!hit.valid_to || now < Date.parse(hit.valid_to));
  return new Set(hits.filter(within).map((hit) => hit.subject));
}

/**
 * @param {Record<string, string>} wanted the address: `kind`, `ns`, `owner`, `label`
 * @param {string | undefined} moment the valid time at which owners and labels count
 * @returns {{passes: ((line: any) => boolean) | undefined, active: number, cut: boolean}} `cut`: not all subjects are known
 */
export function useFilter(wanted, moment) {
  const { kind = "", ns = "", owner = "", label = "" } = wanted;
  const [subjects, setSubjects] = useState(/** @type {Record<string, Hit[]>} */ ({}));
  useEffect(() => {
    let left = false;
    for (const [key, name] of [
      ["owner", owner],
      ["label", label],
    ]) {
      if (name) subjectsOf(/** @type {any} */ (key), name).then((found) => left || setSubjects((all) => ({ ...all, [`${key} ${name}`]: found })));
    }
    return () => {
      left = true;
    };
  }, [owner, label]);
  const asked = [owner && `owner ${owner}`, label && `label ${label}`].filter(Boolean).map((key) => subjects[key]);
  const passes = useMemo(() => {
    if (!kind && !ns && !owner && !label) return undefined;
    const sets = asked.filter((hits) => hits !== undefined).map((hits) => holding(hits, moment ?? new Date().toISOString()));
    const within = (node) => (!ns || node.box.namespace === ns) && sets.every((held) => held.has(node.node) || held.has(node.box.dataset));
    const ended = ns || sets.length;
    return (line) =>
      (!kind || line.kinds.includes(kind)) &&
      (!ended || within(line.from) || within(line.to) || line.tasks.some((task) => !ns && sets.length && sets.every((held) => held.has(task))));
  }, [kind, ns, owner, label, subjects, owner || label ? moment : ""]);
  return { passes, active: [kind, ns, owner, label].filter(Boolean).length, cut: asked.some((hits) => hits?.length === MAX_SUBJECTS) };
}

/** @param {{model: any, wanted: Record<string, string>, active: number}} props */
export function Filter({ model, wanted, active }) {
  const kinds = useMemo(() => [...new Set((model?.lines ?? []).flatMap((line) => line.kinds))].sort(), [model]);
  const spaces = useMemo(() => [...new Set((model?.boxes ?? []).map((box) => box.namespace))].sort(), [model]);
  const choose = (key) => (event) => set({ [key]: event.target.value || null });
  const pick = (
    key,
    title,
    values,
  ) => html`<label>${title}<select value=${wanted[key] ?? ""} onChange=${choose(key)}><option value="">${t("graph.filter.all")}</option>
    ${values.map((value) => html`<option value=${value} selected=${value === wanted[key]}>${value}</option>`)}</select></label>`;
  return html`<details class="g-menu"><summary class="button">${t("graph.filter")}${active ? ` (${active})` : ""}</summary>
    <div class="g-panel">${pick("kind", t("graph.filter.kind"), kinds)}${pick("ns", t("graph.filter.ns"), spaces)}
      <label>${t("graph.filter.owner")}<input value=${wanted.owner ?? ""} onChange=${choose("owner")} /></label>
      <label>${t("graph.filter.label")}<input value=${wanted.label ?? ""} onChange=${choose("label")} /></label>
      ${active > 0 && html`<button type="button" class="button quiet" onClick=${() => set({ kind: null, ns: null, owner: null, label: null })}>${t("graph.filter.clear")}</button>`}</div></details>`;
}
