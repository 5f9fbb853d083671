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

// Figures as people read them.
const NONE = "–";
// What is rounded to zero has no sign.
function fixed(value, digits, plus = "") {
  const text = Math.abs(value).toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return (/[1-9]/.test(text) ? (value < 0 ? "−" : plus) : "") + text;
}
const percent = (value, plus = "") => (value === null ? NONE : `${fixed(100 * value, Math.abs(value) >= 1 || Number.isInteger(100 * value) ? 0 : 1, plus)} %`);
const signed = (value) => percent(value, "+");
const number = (value) => (value === null || value === undefined ? NONE : Math.abs(value) >= 1e6 ? value.toExponential(3) : Number(value.toPrecision(4)).toLocaleString("en", { maximumFractionDigits: 10 }).replace("-", "−"));
const money = (value) => (value === null ? NONE : `$${value >= 0.1 || value === 0 ? value.toFixed(2) : value.toFixed(4)}`);
function count(value) {
  if (value === null) return NONE;
  const [size, suffix] = [[1e9, "G"], [1e6, "M"], [1e3, "k"]].find(([least]) => Math.abs(value) >= least) ?? [1, ""];
  return (value / size).toFixed(1).replace(/\.0$/, "") + suffix;
}
function duration(seconds) {
  if (seconds === null) return NONE;
  if (seconds < 120) return `${seconds.toFixed(seconds >= 10 || seconds === 0 ? 0 : 1)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h${minutes % 60 ? ` ${minutes % 60} min` : ""}`;
}
const words = (text) => String(text).replaceAll("_", " ");
const plural = (n, noun) => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;

const PROBLEMS = ["contradicted", "unsupported"];
const VERDICTS = ["supported", ...PROBLEMS, "uncheckable"];
const SEVERITY = [...PROBLEMS, "uncheckable", "supported"];
const distinct = (values) => [...new Set(values)].sort();
const successOf = (row) => (!row.graded ? "not graded" : row.success ? "yes" : "no");
const verdict = (name) => h("span", { class: `verdict v-${name}` }, name);
const runAddress = (id, step) => `#/run/${encodeURIComponent(id)}${step === undefined ? "" : `/${step}`}`;
