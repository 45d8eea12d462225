// The picture on the page: a canvas of lines under the boxes, a camera, the pointer and the keys.
import { makeBoxes } from "./boxes.js";
import { makeCamera } from "./camera.js";
import { draw, inksOf, lineAt } from "./draw.js";
import { moveFrom } from "./keys.js";

const SETTLED = 140;

/**
 * @typedef {{shown: {lines: Uint8Array, nodes: Set<any>, boxes: Set<any>}, compared?: boolean, quiet?: Set<any>,
 *   lit?: {nodes: Set<any>, lines: Set<any>} | null, chosen?: any, line?: any}} Look  what is shown and marked
 * @param {HTMLElement} port
 * @param {{say: (node: any) => string, onNode: (node: any, event: Event) => void, onLine: (line: any) => void,
 *   onAway: () => void, whole?: boolean, onMove?: (view: any) => void, onHover?: (line: any, x: number, y: number) => void}} hooks
 */
export function makeStage(port, hooks) {
  const canvas = document.createElement("canvas");
  canvas.className = "g-canvas";
  canvas.setAttribute("aria-hidden", "true");
  const world = document.createElement("div");
  world.className = "g-world";
  port.append(canvas, world);
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const boxes = makeBoxes(world, hooks.say);
  let model = null;
  let shown = null;
  /** @type {Look} */
  let look = /** @type {any} */ ({});
  let epoch = 0;
  let frame = 0;
  let movedAt = 0;
  let late = 0;
  let inks = inksOf(port);
  let hovered = null;
  let size = { width: 0, height: 0 };
  let touched = false;

  const camera = makeCamera(port, () => {
    movedAt = performance.now();
    schedule();
    clearTimeout(late);
    late = setTimeout(schedule, SETTLED);
    hooks.onMove?.(camera.view);
  });

  function schedule() {
    if (!frame) frame = requestAnimationFrame(render);
  }

  function resize() {
    size = { width: port.clientWidth, height: port.clientHeight };
    const ratio = devicePixelRatio || 1;
    canvas.width = Math.max(1, size.width * ratio);
    canvas.height = Math.max(1, size.height * ratio);
    canvas.style.width = `${size.width}px`;
    canvas.style.height = `${size.height}px`;
    // What belongs below the picture comes later than it: until somebody touches it, it fits what is left.
    if (model && !touched && !camera.wasMoved()) stage.fit();
    schedule();
  }

  function render() {
    frame = 0;
    if (!model || !size.width) return;
    const { view } = camera;
    world.style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.k})`;
    const marks = {
      epoch,
      lit: look.lit?.nodes ?? null,
      chosen: look.chosen,
      compared: look.compared,
      quiet: look.quiet,
    };
    const blocks = boxes.update(model, shown, view, size, marks);
    draw(
      context,
      { lines: model.lines, shown: shown.lines, blocks },
      {
        view,
        ...size,
        ratio: devicePixelRatio || 1,
        inks,
        quick: performance.now() - movedAt < SETTLED - 20,
        marks: { lit: look.lit?.lines ?? hovered?.lines ?? null, chosen: look.line, compared: !!look.compared },
      },
    );
    port.dataset.epoch = String(epoch);
    port.dataset.boxes = String(boxes.count());
  }

  const nodeOf = (target) => {
    const at = target instanceof Element ? target.closest("[data-at]") : null;
    if (!at || !port.contains(at) || !model) return null;
    const [box, row] = String(at.getAttribute("data-at")).split(":").map(Number);
    return row < 0 ? model.boxes[box].head : model.boxes[box].rows[row];
  };
  const placeOf = (event) => {
    const box = port.getBoundingClientRect();
    return [(event.clientX - box.left - camera.view.x) / camera.view.k, (event.clientY - box.top - camera.view.y) / camera.view.k];
  };
  const lineUnder = (event) =>
    model && event.target.closest?.(".g-box, .g-over") === null ? lineAt(model.lines, shown.lines, ...placeOf(event), 7 / camera.view.k) : null;

  function onClick(event) {
    touched = true;
    if (camera.wasDragged() || !model || event.target.closest(".g-over")) return;
    const node = nodeOf(event.target);
    if (node) {
      if (String(getSelection())) return; // somebody selects text
      boxes.focus(boxes.elementOf(node));
      hooks.onNode(node, event);
      return;
    }
    const line = lineUnder(event);
    if (line) hooks.onLine(line);
    else hooks.onAway();
  }

  function onPointer(event) {
    if (event.buttons || !model) return;
    const line = lineUnder(event);
    port.classList.toggle("g-on-line", !!line);
    hooks.onHover?.(line, event.clientX, event.clientY);
    const node = nodeOf(event.target);
    const lines = node && !look.lit ? [...node.out, ...node.into].filter((each) => shown.lines[each.id]) : [];
    const next = lines.length && !look.compared ? { node, lines: new Set(lines) } : null;
    if (next?.node !== hovered?.node) {
      hovered = next;
      schedule();
    }
  }

  function onKey(event) {
    touched = true;
    if (!model || event.altKey || event.ctrlKey || event.metaKey) return;
    const node = nodeOf(document.activeElement);
    const step = 80;
    const pans = { ArrowLeft: [step, 0], ArrowRight: [-step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] };
    if (event.key === "+" || event.key === "=") camera.zoom(1.25);
    else if (event.key === "-") camera.zoom(0.8);
    else if (event.key === "0") stage.fit();
    else if (event.key === "Escape") hooks.onAway();
    else if (pans[event.key] && (event.shiftKey || !node)) camera.moveBy(...pans[event.key]);
    else if (node && (event.key === "Enter" || event.key === " ")) hooks.onNode(node, event);
    else if (node && pans[event.key]) {
      const next = moveFrom(node, event.key, shown, model);
      if (next) stage.focus(next);
    } else return;
    event.preventDefault();
  }

  port.addEventListener("click", onClick);
  port.addEventListener("pointermove", onPointer);
  port.addEventListener("keydown", onKey);
  const watch = new ResizeObserver(resize);
  watch.observe(port);
  const themes = matchMedia("(prefers-color-scheme: dark)");
  const recolour = () => {
    inks = inksOf(port);
    schedule();
  };
  themes.addEventListener("change", recolour);
  const themed = new MutationObserver(recolour);
  themed.observe(document.documentElement, { attributes: true });

  const stage = {
    camera,
    model: () => model,
    shown: () => shown,
    /** Take another picture in; what `keep` names stays where it is on the screen. */
    setPicture(next, nextLook, keep = "") {
      const before = model && keep ? model.nodes.get(keep) : null;
      const after = before && next.nodes.get(keep);
      if (after) {
        camera.view.x += (before.box.x - after.box.x) * camera.view.k;
        camera.view.y += (before.box.y + before.y - after.box.y - after.y) * camera.view.k;
      }
      const first = !model;
      model = next;
      hovered = null;
      camera.setSize(model.width, model.height);
      stage.show(nextLook);
      if (first) {
        resize();
        stage.fit();
      }
      return !!after;
    },
    /** @param {Look} next */
    show(next) {
      if (!model) return;
      look = next;
      if (shown !== next.shown) epoch += 1;
      shown = next.shown;
      schedule();
    },
    /** Show the whole picture, or, where names would be too small to read, where the question starts. */
    fit(whole = false) {
      if (!model) return;
      const there = [...shown.boxes];
      if (!there.length || hooks.whole) return camera.fit(); // beside others, all of them show the same part
      const x0 = Math.min(...there.map((box) => box.x));
      const y0 = Math.min(...there.map((box) => box.y));
      const x1 = Math.max(...there.map((box) => box.x + box.width));
      const y1 = Math.max(...there.map((box) => box.y + box.height));
      camera.fit(x0, y0, x1 - x0, y1 - y0);
      const start = (look.line?.to ?? look.chosen ?? model.nodes.get(model.start[0]))?.box; // what is opened is in view
      if (!whole && start && camera.view.k < 0.45) {
        // In the middle, if all layers fit; else nearer to the side on which there is less: what feeds a node is to its left.
        const room = port.clientWidth - 100;
        const spare = room - (x1 - x0) * 0.75;
        const side = (start.x - x0 + 1) / (x1 - x0 - start.width + 2);
        camera.to({
          k: 0.75,
          x: spare > 0 ? 60 + spare / 2 - x0 * 0.75 : 60 + Math.max(0, room - start.width * 0.75) * side - start.x * 0.75,
          y: port.clientHeight / 2 - (start.y + Math.min(start.height, 400) / 2) * 0.75,
        });
      }
    },
    /** Bring a node into view and give it the focus. */
    focus(node) {
      const height = node.index < 0 ? 38 : 20;
      if (camera.view.k < 0.45) camera.zoom(0.8 / camera.view.k);
      camera.reveal(node.box.x, node.box.y + node.y - height / 2, node.box.width, height);
      cancelAnimationFrame(frame);
      render();
      const element = boxes.elementOf(node);
      if (element) boxes.focus(element);
    },
    /** Look from where another stage looks. */
    follow(view) {
      Object.assign(camera.view, view);
      movedAt = performance.now();
      schedule();
      clearTimeout(late);
      late = setTimeout(schedule, SETTLED);
    },
    stop() {
      cancelAnimationFrame(frame);
      clearTimeout(late);
      watch.disconnect();
      themed.disconnect();
      themes.removeEventListener("change", recolour);
      camera.stop();
      port.removeEventListener("click", onClick);
      port.removeEventListener("pointermove", onPointer);
      port.removeEventListener("keydown", onKey);
      port.replaceChildren();
    },
  };
  return stage;
}
