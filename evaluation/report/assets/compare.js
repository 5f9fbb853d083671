// Two runs side by side.
function compareWith(row) {
  const others = data.runs.filter((other) => other.run_id !== row.run_id && other.task === row.task && other.variant === row.variant).slice(0, 200);
  if (!others.length) return null;
  // The keys of a list choose, and only the button goes: arrows pass over many runs before the one that is meant.
  const chosen = h("select", {}, others.map((other) => h("option", { value: other.run_id }, [other.contestant, other.seed !== null && `seed ${other.seed}`, other.score !== null && number(other.score)].filter(Boolean).join(" · "))));
  const go = () => { location.hash = `#/compare/${encodeURIComponent(row.run_id)}/${encodeURIComponent(chosen.value)}`; };
  return h("div", { class: "controls" }, h("label", {}, "Compare with ", chosen), h("button", { type: "button", onclick: go }, "Compare"));
}

async function showComparison(host, ...ids) {
  const rows = ids.map((id) => data.runs.find((row) => row.run_id === id));
  if (rows.includes(undefined)) { host.replaceChildren(h("h1", {}, "No such run"), h("p", {}, h("a", { href: "#/" }, "Back to the report"))); return; }
  host.replaceChildren(h("p", { role: "status" }, "Opening …"));
  const runs = await Promise.all(rows.map((row) => loadRun(data.runs.indexOf(row))));
  const names = rows[0].contestant === rows[1].contestant ? rows.map((row) => `${row.contestant} · seed ${row.seed ?? NONE}`) : rows.map((row) => row.contestant);
  host.replaceChildren(
    h("section", { class: "run-head" }, h("p", { class: "eyebrow" }, h("a", { href: "#/runs" }, "All runs"), " · ", rows[0].task), h("h1", { tabindex: "-1" }, `${names[0]} and ${names[1]}`)),
    sideTable("Results", "Results of the two runs", "Figure", runs, names, ids, resultsOf(rows, runs)),
    ...[settingsTable(runs, names, ids), comparedCurves(runs, names)].filter(Boolean),
    submittedBetween(runs, names),
    h("section", {}, h("h2", {}, "What each submitted, against the starter"), h("div", { class: "sides" }, runs.map((run, i) => h("div", {}, h("h3", {}, names[i]), h("div", { class: "submitted" }, run.submitted.length ? run.submitted.map(changedFile) : h("p", { class: "note" }, "No change is on record.")))))),
    stepsBeside(runs, names));
  document.title = `${names[0]} and ${names[1]}`;
  host.querySelector("h1").focus();
  window.scrollTo(0, 0);
}

const resultsOf = (rows, runs) => [
  ["Success", (i) => successOf(rows[i])], [`Score, ${words(rows[0].metric)}`, (i) => number(rows[i].score)], ["Improvement", (i) => signed(rows[i].improvement)],
  ["Ended by", (i) => words(rows[i].ended_by || rows[i].status)], ["Problem claims", (i) => problemShare(rows[i])],
  ["Training runs", (i) => runs[i].result.training_runs],
  ...data.columns.map((column) => { const shown = figureColumn(column); return [shown.label, (i) => shown.cell(rows[i])]; }),
];

function sideTable(title, caption, of, runs, names, ids, lines) {
  return h("section", {}, h("h2", {}, title), h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": title }, h("table", {}, h("caption", {}, h("span", {}, caption)),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, of), names.map((name, i) => h("th", { scope: "col" }, h("a", { href: runAddress(ids[i]) }, name))))),
    h("tbody", {}, lines.map(([label, value]) => h("tr", {}, h("th", { scope: "row" }, label), runs.map((_, i) => h("td", {}, value(i)))))))));
}

function settingsTable(runs, names, ids) {
  const [first, second] = runs.map((run) => flatSettings(run.config ?? {}));
  const differing = distinct([...Object.keys(first), ...Object.keys(second)]).filter((name) => first[name] !== second[name] && !["run_id", "tags"].includes(name));
  return differing.length ? sideTable("Settings that differ", "Settings in which the two runs differ", "Setting", runs, names, ids, differing.map((name) => [words(name), (i) => [first, second][i][name] ?? NONE])) : null;
}

const flatSettings = (value, name = "") => (value !== null && typeof value === "object" && !Array.isArray(value)
  ? Object.assign({}, ...Object.entries(value).map(([key, inner]) => flatSettings(inner, name ? `${name}.${key}` : key)))
  : value === null ? {} : { [name]: Array.isArray(value) ? value.join(", ") : String(value) });

// The last value of each training run, by agent step.
function comparedCurves(runs, names) {
  const lasting = (run) => run.steps.filter((s) => s.training).flatMap((s) => s.training.series.map((one) => ({ name: `${one.split ? `${one.split} ` : ""}${one.name}`, step: s.n, value: one.y.at(-1) })));
  const values = runs.map(lasting);
  const metrics = distinct(values[0].map((v) => v.name)).filter((name) => values[1].some((v) => v.name === name));
  if (!metrics.length) return null;
  const figures = metrics.slice(0, 8).map((metric) => {
    const chart = h("div", { class: "chart", role: "img", "aria-label": `${metric} of each training run, by agent step; the values stand at the steps below` });
    plot(chart, () => ({ traces: runs.map((_, i) => {
      const own = values[i].filter((v) => v.name === metric);
      return { type: "scatter", mode: "lines+markers", name: names[i], x: own.map((v) => v.step), y: own.map((v) => v.value), line: { color: seriesColor(i), dash: DASHES[i], width: 2, shape: "hv" }, marker: { size: 7, symbol: SYMBOLS[i] }, customdata: own.map((v) => number(v.value)), hovertemplate: "step %{x}: %{customdata}<extra>%{fullData.name}</extra>" };
    }), layout: { height: 300, showlegend: true, xaxis: { ...stepAxis(values.flatMap((own) => own.map((v) => v.step))) } } }));
    return h("figure", { class: "plot" }, h("figcaption", {}, metric), chart);
  });
  return h("section", {}, h("h2", {}, "Training runs"), h("div", { class: "pair" }, figures));
}

// Every file that either run changed: the first run's lines are removed, the second's added.
function submittedBetween(runs, names) {
  const [first, second] = runs.map((run) => new Map(run.submitted.map((change) => [change.path, change])));
  const paths = distinct([...first.keys(), ...second.keys()]).sort();
  if (!paths.length) return h("section", {}, h("h2", {}, "What differs between the two"), h("p", { class: "note" }, "No change is on record."));
  const differing = paths.map((path) => ({ path, ...between(first.get(path), second.get(path)) })).filter((change) => change.kind !== "alike");
  return h("section", {}, h("h2", {}, "What differs between the two"),
    h("p", { class: "note" }, "Lines that only ", h("strong", {}, names[0]), " has begin with −, lines that only ", h("strong", {}, names[1]), " has with +."),
    h("div", { class: "submitted" }, differing.length ? differing.map(changedFile) : h("p", { class: "note" }, "Both submitted the same files.")));
}

// A file that one run left as the starter has it differs as the other's does from the starter.
function between(first, second) {
  if (!first) return { kind: second.kind, diff: second.diff };
  if (!second) return { kind: { added: "removed", removed: "added" }[first.kind] ?? "changed", diff: reversed(first.diff) };
  if (first.after === undefined || second.after === undefined) return { kind: "changed", diff: "" };
  return first.after === second.after ? { kind: "alike", diff: "" } : { kind: "changed", diff: lineDiff(first.after.split("\n"), second.after.split("\n")) };
}

const reversed = (diff) => diff.split("\n").filter((line) => !/^(\+\+\+|---) /.test(line)).map((line) => (/^[+-]/.test(line) ? (line[0] === "+" ? "-" : "+") + line.slice(1) : line.replace(/^@@ -(\S+) \+(\S+) @@/, "@@ -$2 +$1 @@"))).join("\n");

// The longest common lines, after what both begin and end with, with three lines around each difference.
function lineDiff(old, fresh) {
  let head = 0;
  while (head < old.length && head < fresh.length && old[head] === fresh[head]) head += 1;
  let tail = 0;
  while (tail < old.length - head && tail < fresh.length - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1;
  const a = old.slice(head, old.length - tail), b = fresh.slice(head, fresh.length - tail);
  const common = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i -= 1) for (let j = b.length - 1; j >= 0; j -= 1) common[i][j] = a[i] === b[j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
  const lines = old.slice(0, head).map((line) => ` ${line}`);
  for (let i = 0, j = 0; i < a.length || j < b.length;) {
    if (i < a.length && j < b.length && a[i] === b[j]) { lines.push(` ${a[i]}`); i += 1; j += 1; } else if (j >= b.length || (i < a.length && common[i + 1][j] >= common[i][j + 1])) { lines.push(`-${a[i]}`); i += 1; } else { lines.push(`+${b[j]}`); j += 1; }
  }
  lines.push(...old.slice(old.length - tail).map((line) => ` ${line}`));
  const near = lines.map((_, n) => lines.slice(Math.max(0, n - 3), n + 4).some((line) => line[0] !== " "));
  return lines.flatMap((line, n) => (near[n] ? [line] : near[n - 1] || (n === 0 && near.includes(true)) ? ["@@"] : [])).join("\n").replace(/\n@@$/, "");
}

function stepsBeside(runs, names) {
  const longest = Math.max(...runs.map((run) => run.steps.length));
  const lines = Array.from({ length: longest }, (_, n) => runs.map((run, i) => (run.steps[n] ? stepBrief(run.steps[n], run, names[i]) : h("div", { class: "brief gone", "data-run": names[i] }, "–"))));
  return h("section", {}, h("h2", {}, "Steps"), h("div", { class: "sides" }, names.map((name) => h("h3", {}, name)), lines));
}

function stepBrief(s, run, name) {
  const claims = run.claims.filter((claim) => claim.step === s.n && PROBLEMS.includes(claim.verdict));
  const target = s.args.script_name ?? s.args.file_name ?? s.args.save_name;
  const said = s.prose.thought ?? Object.values(s.prose)[0] ?? "";
  return h("article", { class: "brief", "data-run": name }, h("p", {}, h("a", { href: runAddress(run.result.run_id, s.n) }, `${s.n} · ${s.action}`), target && ` ${middle(target)}`, s.outcome !== "ok" && [" ", h("span", { class: `outcome ${s.outcome}` }, s.outcome)]),
    said && h("p", { class: "note" }, said.length > 220 ? `${said.slice(0, 219)}…` : said),
    s.training && h("ul", { class: "chips" }, s.training.series.slice(-3).map((one) => h("li", {}, `${one.split ? `${one.split} ` : ""}${one.name} ${number(one.y.at(-1))}`))),
    claims.map((claim) => h("p", { class: "note" }, verdict(claim.verdict), ` ${claim.quote}`)));
}
