/** Which lines are shown: by kind of edge, namespace, owner and label. All of it is in the address. */
import { html, useEffect, useMemo, useState } from "../lib.js";
import { set } from "../state.js";
import { t } from "../texts.js";
import { subjectsOf } from "./drawer.js";

/**
 * @param {Record<string, string>} wanted the address: `kind`, `ns`, `owner`, `label`
 * @returns {{passes: ((line: any) => boolean) | undefined, active: number}}
 */
export function useFilter(wanted) {
  const { kind = "", ns = "", owner = "", label = "" } = wanted;
  const [subjects, setSubjects] = useState(/** @type {Record<string, Set<string>>} */ ({}));
  useEffect(() => {
    let left = false;
    for (const [key, name] of [["owner", owner], ["label", label]]) {
      if (name) subjectsOf(/** @type {any} */ (key), name).then((found) => left || setSubjects((all) => ({ ...all, [`${key} ${name}`]: found })));
    }
    return () => { left = true; };
  }, [owner, label]);
  const passes = useMemo(() => {
    if (!kind && !ns && !owner && !label) return undefined;
    const sets = [owner && subjects[`owner ${owner}`], label && subjects[`label ${label}`]].filter(Boolean);
    const within = (node) => (!ns || node.box.namespace === ns) && sets.every((held) => held.has(node.node) || held.has(node.box.dataset));
    const ended = ns || sets.length;
    return (line) => (!kind || line.kinds.includes(kind)) && (!ended || within(line.from) || within(line.to) || line.tasks.some((task) => !ns && sets.length && sets.every((held) => held.has(task))));
  }, [kind, ns, owner, label, subjects]);
  return { passes, active: [kind, ns, owner, label].filter(Boolean).length };
}

/** @param {{model: any, wanted: Record<string, string>, active: number}} props */
export function Filter({ model, wanted, active }) {
  const kinds = useMemo(() => [...new Set((model?.lines ?? []).flatMap((line) => line.kinds))].sort(), [model]);
  const spaces = useMemo(() => [...new Set((model?.boxes ?? []).map((box) => box.namespace))].sort(), [model]);
  const choose = (key) => (event) => set({ [key]: event.target.value || null });
  const pick = (key, title, values) => html`<label>${title}<select value=${wanted[key] ?? ""} onChange=${choose(key)}><option value="">${t("graph.filter.all")}</option>
    ${values.map((value) => html`<option value=${value} selected=${value === wanted[key]}>${value}</option>`)}</select></label>`;
  return html`<details class="g-menu"><summary class="button">${t("graph.filter")}${active ? ` (${active})` : ""}</summary>
    <div class="g-panel">${pick("kind", t("graph.filter.kind"), kinds)}${pick("ns", t("graph.filter.ns"), spaces)}
      <label>${t("graph.filter.owner")}<input value=${wanted.owner ?? ""} onChange=${choose("owner")} /></label>
      <label>${t("graph.filter.label")}<input value=${wanted.label ?? ""} onChange=${choose("label")} /></label>
      ${active > 0 && html`<button type="button" class="button quiet" onClick=${() => set({ kind: null, ns: null, owner: null, label: null })}>${t("graph.filter.clear")}</button>`}</div></details>`;
}
