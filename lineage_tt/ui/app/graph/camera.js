// Where one looks from: a shift and a scale, moved by wheel, drag, pinch and keys.

export const NEAREST = 2.5;
export const FARTHEST = 0.02;
/** Beside a picture that is shown whole, in pixels: the buttons that zoom are there. */
const LEFT_MARGIN = 52;

/** @typedef {{x: number, y: number, k: number}} View  a place of the picture is at x + k * place on the screen */

/**
 * @param {HTMLElement} port what catches wheel and pointers
 * @param {() => void} changed called after each move
 */
export function makeCamera(port, changed) {
  const view = { x: 24, y: 24, k: 1 };
  const fingers = new Map();
  let dragged = false;
  let moved = false;
  let size = { width: 0, height: 0 };

  const camera = {
    view,
    /** Whether the pointer that went up last had moved the picture: then it was no click. */
    wasDragged: () => dragged,
    /** Whether anybody has moved it since it was fitted. */
    wasMoved: () => moved,
    moveBy(dx, dy) {
      moved = true;
      view.x += dx;
      view.y += dy;
      changed();
    },
    /** Scale by a factor and keep what is at (x, y) of the port in its place. */
    zoom(factor, x = port.clientWidth / 2, y = port.clientHeight / 2) {
      const k = Math.min(NEAREST, Math.max(FARTHEST, view.k * factor));
      view.x = x - ((x - view.x) * k) / view.k;
      view.y = y - ((y - view.y) * k) / view.k;
      view.k = k;
      moved = true;
      changed();
    },
    to(next) {
      moved = false;
      Object.assign(view, next);
      changed();
    },
    setSize(width, height) {
      size = { width, height };
    },
    /** Show a rectangle of the picture in the middle, no larger than life. */
    fit(x0 = 0, y0 = 0, width = size.width, height = size.height, nearest = 1) {
      const room = { width: port.clientWidth - LEFT_MARGIN - 24, height: port.clientHeight - 48 };
      const k = Math.max(FARTHEST, Math.min(nearest, room.width / Math.max(1, width), room.height / Math.max(1, height)));
      camera.to({
        k,
        x: LEFT_MARGIN + (room.width - width * k) / 2 - x0 * k,
        y: 24 + (room.height - height * k) / 2 - y0 * k,
      });
    },
    /** Move no more than needed for a rectangle of the picture to be seen whole, with a margin. */
    reveal(x, y, width, height) {
      const { k } = view;
      const margin = 40;
      const left = x * k + view.x;
      const top = y * k + view.y;
      const dx = Math.max(margin - left, Math.min(0, port.clientWidth - margin - (left + width * k)));
      const dy = Math.max(margin - top, Math.min(0, port.clientHeight - margin - (top + height * k)));
      if (dx || dy) camera.moveBy(dx, dy);
    },
    stop,
  };

  const at = (event) => {
    const box = port.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const onWheel = (event) => {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 16 : 1;
    if (event.shiftKey && !event.ctrlKey) return camera.moveBy(-(event.deltaX || event.deltaY) * lines, 0);
    const speed = event.ctrlKey ? 0.01 : 0.0016;
    return camera.zoom(Math.exp(-event.deltaY * lines * speed), ...at(event));
  };
  const onDown = (event) => {
    if (event.button !== 0 || event.target.closest("button, a, input, select, .g-over")) return;
    fingers.set(event.pointerId, at(event));
    dragged = false;
  };
  const onMove = (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const now = at(event);
    const [dx, dy] = [now[0] - before[0], now[1] - before[1]];
    if (!dragged && Math.hypot(dx, dy) < 4) return;
    if (!dragged) port.setPointerCapture?.(event.pointerId);
    dragged = true;
    if (fingers.size === 2) {
      const [, other] = [...fingers].find(([id]) => id !== event.pointerId) ?? [0, before];
      const apart = (point) => Math.max(1, Math.hypot(point[0] - other[0], point[1] - other[1]));
      fingers.set(event.pointerId, now);
      camera.zoom(apart(now) / apart(before), (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
      return;
    }
    fingers.set(event.pointerId, now);
    camera.moveBy(dx, dy);
  };
  const onUp = (event) => fingers.delete(event.pointerId);

  const heard = { wheel: onWheel, pointerdown: onDown, pointermove: onMove, pointerup: onUp, pointercancel: onUp };
  for (const [name, hear] of Object.entries(heard)) port.addEventListener(name, hear, { passive: false });
  function stop() {
    for (const [name, hear] of Object.entries(heard)) port.removeEventListener(name, hear);
  }
  return camera;
}
