import { h, render } from "../vendor/preact.js";
import htm from "../vendor/htm.js";

const html = htm.bind(h);
render(html`<h1>lineage_tt</h1>`, document.getElementById("app"));
