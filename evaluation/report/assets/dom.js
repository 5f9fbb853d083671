// Elements from data. Text becomes text nodes only, so nothing an agent wrote can become markup.
function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  append(element, children);
  return element;
}

function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

const $ = (id) => document.getElementById(id);
const data = JSON.parse($("data").textContent);

// Packed data: base64 of gzip of JSON.
async function unpack(base64) {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
}

const pages = document.getElementsByClassName("run-data");
const loadRun = async (index) => JSON.parse(await unpack(pages[index].textContent));

let claimsPromise;
function loadClaims() {
  claimsPromise ??= unpack($("all-claims").textContent).then((text) =>
    text.split("\n").filter(Boolean).map((line) => JSON.parse(line)));
  return claimsPromise;
}

const words = (text) => String(text).replaceAll("_", " ");
const plural = (n, noun) => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;

const PROBLEMS = ["contradicted", "unsupported"];
const CHECKABLE = ["supported", ...PROBLEMS];
const VERDICTS = [...CHECKABLE, "uncheckable"];
const SEVERITY = [...PROBLEMS, "uncheckable", "supported"];
const bySeverity = (a, b) => SEVERITY.indexOf(a.verdict) - SEVERITY.indexOf(b.verdict);
const distinct = (values) => [...new Set(values)].sort();
const successOf = (row) => (!row.graded ? "not graded" : row.success ? "yes" : "no");
const verdict = (name) => h("span", { class: `verdict v-${name}` }, name);
const runAddress = (id, step) => `#/run/${encodeURIComponent(id)}${step === undefined ? "" : `/${step}`}`;
