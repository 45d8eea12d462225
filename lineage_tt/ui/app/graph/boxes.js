// The boxes in view, as HTML: text that can be selected and read aloud. What is out of view is not in the document.
import { GLYPHS, HEADER, headOf, ROW } from "./model.js";

/** Below this scale names are too small to read: boxes show their dataset alone, larger. */
const FAR = 0.42;
/** More boxes in view than this are drawn as blocks on the canvas when far away. */
const MAX_BOXES = 500;
/** Boxes with more rows than this have only those in view in the document. */
const MAX_WHOLE = 60;

const piecesOf = (name) => name.split(/(?<=[._/-])/);

/** The largest size at which a name, broken after its dots and underscores, fits into a box. @param {string} name @param {number} width @param {number} height */
function sizeIn(name, width, height) {
  const pieces = piecesOf(name);
  for (let size = 40; size > 7; size -= 1) {
    const room = Math.floor(width / (size * 0.7));
    let lines = 1;
    let used = 0;
    for (const piece of pieces) {
      if (used && used + piece.length > room) {
        lines += 1;
        used = 0;
      }
      used += piece.length;
      if (used > room) lines = Infinity; // a piece of its own line is too wide
    }
    if (lines * size * 1.1 <= height) return size;
  }
  return 7;
}

/** @param {HTMLElement} world the element that is moved and scaled @param {(node: any) => string} say what is read aloud */
export function makeBoxes(world, say) {
  /** @type {Map<number, {element: HTMLElement, head: HTMLElement, rows: Map<number, HTMLElement>, stamp: string}>} */
  const held = new Map();
  let owner = null;
  let tabbable = null;

  /** @param {any} model @param {{nodes: Set<any>, boxes: Set<any>}} shown @param {any} view @param {{width: number, height: number}} port */
  function update(model, shown, view, port, marks) {
    if (owner !== model) {
      for (const { element } of held.values()) element.remove();
      held.clear();
      owner = model;
      tabbable = null;
    }
    const seen = {
      x0: -view.x / view.k - 40,
      y0: -view.y / view.k - 40,
      x1: (port.width - view.x) / view.k + 40,
      y1: (port.height - view.y) / view.k + 40,
    };
    const far = view.k < FAR;
    const inView = model.boxes.filter(
      (box) => shown.boxes.has(box) && box.x < seen.x1 && box.x + box.width > seen.x0 && box.y < seen.y1 && box.y + box.height > seen.y0,
    );
    const blocks = far && inView.length > MAX_BOXES ? inView : [];
    const wanted = new Set(blocks.length ? [] : inView);
    const active = document.activeElement;
    for (const [id, { element }] of held) {
      const box = model.boxes[id];
      if (wanted.has(box) || (element.contains(active) && shown.boxes.has(box))) continue;
      element.remove();
      held.delete(id);
    }
    world.classList.toggle("g-far", far);
    world.style.setProperty("--g-far-size", `${Math.min(40, 11 / view.k)}px`);
    const fresh = document.createDocumentFragment();
    for (const box of wanted) {
      let mine = held.get(box.id);
      if (!mine) {
        mine = make(box);
        fresh.append(mine.element);
        held.set(box.id, mine);
      }
      fill(mine, box, far ? { y0: 1, y1: 0 } : seen, shown, marks);
    }
    world.append(fresh);
    if (!tabbable?.isConnected) makeTabbable(firstOf(inView, model));
    return blocks;
  }

  function firstOf(inView, model) {
    const start = model.nodes.get(model.start[0]);
    const box = start && inView.includes(start.box) ? start.box : inView[0];
    return box && held.get(box.id)?.head;
  }

  /** One element of the picture can be reached by Tab, the others from there by arrows. */
  function makeTabbable(element) {
    if (!element) return;
    tabbable?.setAttribute("tabindex", "-1");
    tabbable = element;
    element.setAttribute("tabindex", "0");
  }

  function make(box) {
    const element = document.createElement("div");
    element.setAttribute("role", "group");
    element.setAttribute("aria-label", box.dataset);
    Object.assign(element.style, {
      left: `${box.x}px`,
      top: `${box.y}px`,
      width: `${box.width}px`,
      height: `${box.height}px`,
    });
    const head = button(box.head, "g-head");
    const [space, name] = headOf(box);
    const title = part("g-name", GLYPHS[box.change] ? `${GLYPHS[box.change]} ` : "");
    for (const piece of piecesOf(name)) title.append(piece, document.createElement("wbr"));
    head.append(part("g-space", space), title);
    head.style.height = `${HEADER}px`;
    element.style.setProperty("--g-fit", `${sizeIn(title.textContent ?? "", box.width - 8, box.height - 4)}px`);
    element.append(head);
    return { element, head, rows: new Map(), stamp: "" };
  }

  function button(node, name) {
    const element = document.createElement("div");
    element.className = name;
    element.dataset.at = `${node.box.id}:${node.index}`;
    element.setAttribute("role", "button");
    element.setAttribute("tabindex", "-1");
    element.setAttribute("aria-description", say(node));
    element.title = node.node;
    return element;
  }

  function part(name, text) {
    const element = document.createElement("span");
    element.className = name;
    element.textContent = text;
    return element;
  }

  /** Put the rows in view into a box, and mark what is to be marked. */
  function fill(mine, box, seen, shown, marks) {
    const long = box.rows.length > MAX_WHOLE;
    const first = long ? Math.max(0, Math.floor((seen.y0 - box.y - HEADER) / ROW)) : 0;
    const last = long ? Math.min(box.rows.length, Math.ceil((seen.y1 - box.y - HEADER) / ROW)) : box.rows.length;
    const stamp = seen.y0 > seen.y1 ? "none" : `${first}:${last}:${marks.epoch}`;
    if (mine.stamp !== stamp) {
      mine.stamp = stamp;
      const rows = new Map();
      const fresh = document.createDocumentFragment();
      for (let at = first; stamp !== "none" && at < last; at += 1) {
        const node = box.rows[at];
        if (!shown.nodes.has(node)) continue;
        const row = mine.rows.get(at) ?? makeRow(node);
        if (!mine.rows.has(at)) fresh.append(row);
        rows.set(at, row);
      }
      for (const [at, row] of mine.rows) if (!rows.has(at) && row !== document.activeElement) row.remove();
      mine.element.append(fresh);
      mine.rows = rows;
    }
    const lit = !marks.lit || [box.head, ...box.rows].some((node) => marks.lit.has(node));
    mine.element.className = named("g-box", box, lit, marks, marks.chosen === box.head);
    mine.head.className = `g-head${marks.chosen === box.head ? " g-chosen" : ""}`;
    for (const [at, row] of mine.rows) {
      const node = box.rows[at];
      row.className = named("g-row", node, !marks.lit || marks.lit.has(node), marks, marks.chosen === node);
    }
  }

  function makeRow(node) {
    const row = button(node, "g-row");
    row.style.top = `${node.y - ROW / 2}px`;
    row.style.height = `${ROW}px`;
    if (GLYPHS[node.change]) row.append(part("g-glyph", GLYPHS[node.change]));
    row.append(part("g-label", node.label));
    return row;
  }

  function named(base, thing, lit, marks, chosen) {
    return [
      base,
      thing.start && "g-start",
      thing.uncertain && "g-uncertain",
      thing.change !== "same" && `g-${thing.change}`,
      (!lit || (!marks.lit && marks.quiet?.has(thing))) && "g-faded",
      marks.lit && lit && "g-lit",
      chosen && "g-chosen",
    ]
      .filter(Boolean)
      .join(" ");
  }

  return {
    update,
    /** The element of a node in view. */
    elementOf(node) {
      const mine = held.get(node.box.id);
      return node.index < 0 ? mine?.head : mine?.rows.get(node.index);
    },
    focus(element) {
      makeTabbable(element);
      element.focus({ preventScroll: true });
    },
    count: () => held.size,
  };
}
