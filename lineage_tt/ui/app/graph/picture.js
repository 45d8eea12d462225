/** The picture as a component: a stage that follows what it is given. */
import { html, useLayoutEffect, useRef } from "../lib.js";
import { number, t } from "../texts.js";
import { makeStage } from "./stage.js";

/**
 * @param {{model: any, look: any, about: string, label: string, onNode: any, onLine: any, onAway: any, stageRef?: any, others?: () => any[], whole?: boolean, children?: any}} props
 *   `about` names the question: where it changes, the whole picture is shown; `others` are stages that move along; `whole`: all of
 *   the picture is shown at first, however small
 */
export function Picture({ model, look, about, label, onNode, onLine, onAway, stageRef, others, whole = false, children }) {
  const port = useRef(/** @type {HTMLElement | null} */ (null));
  const stage = useRef(/** @type {any} */ (null));
  const hooks = useRef(/** @type {any} */ ({}));
  const seen = useRef({ about: "", fresh: true });
  hooks.current = { onNode, onLine, onAway, others };
  useLayoutEffect(() => {
    const made = makeStage(/** @type {HTMLElement} */ (port.current), {
      say: spoken,
      onNode: (node, event) => hooks.current.onNode(node, event),
      onLine: (line) => hooks.current.onLine(line),
      onAway: () => hooks.current.onAway(),
      whole,
      onMove: (view) => {
        for (const other of hooks.current.others?.() ?? []) if (other !== made) other.follow(view);
      },
    });
    stage.current = made;
    if (stageRef) stageRef.current = made;
    return () => made.stop();
  }, []);
  useLayoutEffect(() => {
    const made = stage.current;
    if (!model) return;
    if (made.model() !== model) {
      const same = seen.current.about === about;
      made.setPicture(model, look, same ? (look.chosen?.node ?? model.start[0]) : "");
      // The window's layout comes soon after the first picture: nobody has moved it yet.
      if (!same || (seen.current.fresh && !made.camera.wasMoved())) made.fit();
      seen.current = { about, fresh: !same };
    } else made.show(look);
  }, [model, look, about]);
  return html`<div class="g-port" ref=${port} role="group" aria-label=${label} aria-describedby="g-keys"></div>
    ${children}`;
}

/** What is read aloud of a node. */
function spoken(node) {
  const name = node.index < 0 ? `${node.box.namespace} ${node.box.label}` : node.label;
  const change = node.change === "same" ? "" : ` ${t(`graph.change.${node.change}`)}`;
  return t("graph.say", { name, into: number(node.into.length), out: number(node.out.length) }) + change;
}
