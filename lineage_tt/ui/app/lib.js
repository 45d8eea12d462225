/** The one place that names the vendored libraries: everything else imports from here. */
import { Component, createContext, Fragment, h, render } from "../vendor/preact.js";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "../vendor/hooks.js";
import { batch, computed, effect, signal, useComputed, useSignal, useSignalEffect } from "../vendor/signals.js";
import htm from "../vendor/htm.js";

/** Tagged template that makes elements. Values become text or properties, never markup. */
export const html = htm.bind(h);

export { batch, Component, computed, createContext, effect, Fragment, h, render, signal };
export { useCallback, useComputed, useEffect, useLayoutEffect, useMemo, useRef, useSignal, useSignalEffect, useState };

let serial = 0;

/** An id for `aria-labelledby` and its like, the same for the life of the component. */
export function useName(prefix = "n") {
  return useState(() => `${prefix}${++serial}`)[0];
}
