// Figures as people read them: the same rounding as in the terminal and in the tables (environment/records/display.py).
const NONE = "–";
// What is rounded to zero has no sign.
function fixed(value, digits, plus = "") {
  const text = grouped(Math.abs(value), digits);
  return (/[1-9]/.test(text) ? (value < 0 ? "−" : plus) : "") + text;
}
const known = (value) => value !== null && value !== undefined;
// Exact halves are rounded to the even digit, as Python rounds them.
function rounded(value, digits) {
  const long = value.toFixed(digits + 40);
  const kept = long.slice(0, digits ? -40 : -41);
  return /^\.?50*$/.test(long.slice(kept.length)) && /[02468]$/.test(kept) ? kept : value.toFixed(digits);
}
function grouped(value, digits) {
  const [whole, rest] = rounded(value, digits).split(".");
  return whole.replace(/\B(?=(\d{3})+$)/g, ",") + (rest ? `.${rest}` : "");
}
const isWhole = (value) => Math.abs(value - Math.round(value)) < 1e-9;
const percent = (value, plus = "") => (known(value) ? `${fixed(100 * value, Math.abs(100 * value) >= 100 || isWhole(100 * value) ? 0 : 1, plus)} %` : NONE);
const signed = (value) => percent(value, "+");
function number(value) {
  if (!known(value)) return NONE;
  const size = Math.abs(value);
  const text = size >= 1e6 ? exponential(size, 3) : size >= 1e4 ? grouped(size, 0) : significant(size, 4);
  return value < 0 ? `−${text}` : text;
}
// As Python's "g": the exponent has two digits, and zeros at the end are left out.
const exponential = (size, digits) => size.toExponential(digits).replace(/e([+-])(\d)$/, "e$10$2");
function significant(size, digits) {
  if (size === 0) return "0";
  const power = Number(size.toExponential(digits - 1).split("e")[1]);
  if (power < -4 || power >= digits) return exponential(size, digits - 1).replace(/\.?0+e/, "e");
  const text = grouped(size, Math.max(0, digits - 1 - power));
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}
const money = (value) => (known(value) ? `$${value >= 0.1 || value === 0 ? grouped(value, 2) : rounded(value, 4)}` : NONE);
function count(value) {
  if (!known(value)) return NONE;
  const [size, suffix] = [[1e9, "G"], [1e6, "M"], [1e3, "k"]].find(([least]) => Math.abs(value) >= least) ?? [1, ""];
  return rounded(value / size, 1).replace(/\.0$/, "") + suffix;
}
function duration(seconds) {
  if (!known(seconds)) return NONE;
  if (seconds < 120) return `${rounded(seconds, seconds >= 10 || seconds === 0 ? 0 : 1)} s`;
  const minutes = Number(rounded(seconds / 60, 0));
  if (minutes < 120) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h${minutes % 60 ? ` ${minutes % 60} min` : ""}`;
}
const interval = (estimate) => (known(estimate.low) && known(estimate.high) ? [estimate.low, estimate.high].map((end) => percent(end).slice(0, -2)).join(" to ") : "no interval");
