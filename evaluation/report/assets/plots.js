// Plots take their colours from the page, so they follow the theme; each is drawn when it comes into view.
const SYMBOLS = ["circle", "diamond", "square", "triangle-up", "cross", "x", "star", "pentagon"];
const DASHES = ["solid", "dash", "dot", "dashdot", "longdash", "longdashdot"];
const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const seriesColor = (index) => color(`--c${index % 8}`);
const shade = (value, alpha) => value + Math.round(255 * alpha).toString(16).padStart(2, "0");
// Eight colours; where there are more to tell apart, the line and the marker change with each round.
const look = (index) => ({ color: seriesColor(index), dash: DASHES[Math.floor(index / 8) % DASHES.length], symbol: SYMBOLS[(index + 3 * Math.floor(index / 8)) % 8] });
const ANCHOR = { dash: "dot" };
const ANCHOR_SYMBOLS = ["diamond-open", "square-open"];

// One look for each contestant, everywhere; the ends of the scale are grey.
function looks(part) {
  const anchors = new Set(part.table.summaries.filter((s) => s.anchor).map((s) => s.contestant));
  const everyone = part.claims.map((one) => one.contestant);
  const names = everyone.filter((name) => !anchors.has(name));
  const labels = shortNames(everyone);
  const drawnAs = (name) => (anchors.has(name) ? { ...ANCHOR, symbol: ANCHOR_SYMBOLS[[...anchors].indexOf(name) % ANCHOR_SYMBOLS.length], color: color("--muted") } : look(Math.max(0, names.indexOf(name))));
  return (name) => ({ ...drawnAs(name), label: labels.get(name) ?? name });
}

// The library is unpacked when the first plot is wanted, or lies beside this page.
let plotly;
function library() {
  plotly ??= (async () => {
    const packed = $("plotly");
    if (!globalThis.Plotly && packed) {
      const script = document.createElement("script");
      script.textContent = await unpack(packed.textContent);
      document.head.append(script);
    }
    document.documentElement.dataset.plots = globalThis.Plotly ? "ready" : "missing";
  })();
  return plotly;
}

const drawn = new Map();
const watcher = new IntersectionObserver((entries) => {
  for (const entry of entries) if (entry.isIntersecting) { watcher.unobserve(entry.target); library().then(() => drawn.get(entry.target)?.()); }
}, { rootMargin: "300px" });

function plot(element, build) {
  const draw = (width) => {
    if (!globalThis.Plotly) { element.textContent = "The library that draws this plot does not lie beside this page. mlab report RUN writes a page that holds it."; return; }
    const { traces, layout } = build();
    const room = width ?? element.clientWidth;
    Plotly.react(element, traces, themed(width ? { ...layout, width } : layout, room, traces), { displayModeBar: false, responsive: !width });
  };
  const seen = drawn.has(element);
  // The place is kept from the start: a plot drawn on the way to a section must not push it away.
  element.style.minHeight = `${build().layout.height}px`;
  drawn.set(element, draw);
  if (seen && element.data) draw(); else watcher.observe(element);
}

// On paper every plot is there, in the width of the paper and in dark ink.
const PAPER = 660;
let themeBefore;
addEventListener("beforeprint", () => {
  themeBefore = document.documentElement.dataset.theme ?? "";
  document.documentElement.dataset.theme = "light";
  drawn.forEach((draw, element) => { if (element.offsetParent && globalThis.Plotly) draw(PAPER); });
});
addEventListener("afterprint", () => {
  if (themeBefore) document.documentElement.dataset.theme = themeBefore; else delete document.documentElement.dataset.theme;
  redraw();
});
addEventListener("load", () => setTimeout(library, 200));

const redraw = () => drawn.forEach((draw, element) => { if (element.data) draw(); });
const forget = () => drawn.forEach((_, element) => { if (!element.isConnected) { Plotly.purge(element); drawn.delete(element); } });

// Labels of the axis below stay level, fewer on a telephone; where it counts a few steps, no step is halved.
function below(room, traces, axis = {}) {
  const most = axis.title?.text === "agent step" ? Math.max(0, ...traces.flatMap((trace) => trace.x ?? [])) : Infinity;
  return { tickangle: 0, nticks: room < 420 ? 4 : 0, ...(most <= 10 && { dtick: room < 420 && most > 5 ? 2 : 1 }) };
}

function themed(layout, room, traces) {
  const axis = { gridcolor: color("--line"), linecolor: color("--line"), zerolinecolor: color("--muted"), automargin: true, zeroline: false, title: { standoff: 12, font: { size: 13 } } };
  const merged = { margin: { l: 10, r: 16, t: 12, b: 40 }, paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", hovermode: "closest",
    font: { family: color("--sans"), size: 13, color: color("--ink") }, showlegend: false, legend: { orientation: "h", y: -0.2 },
    hoverlabel: { bgcolor: color("--surface"), bordercolor: color("--line"), font: { color: color("--ink") } }, ...layout };
  for (const name of ["xaxis", "yaxis"]) merged[name] = { ...axis, ...layout[name], title: { ...axis.title, ...layout[name]?.title } };
  merged.xaxis = { ...below(room, traces, layout.xaxis), ...merged.xaxis };
  return merged;
}

// Long names keep both ends: what tells contestants apart stands mostly at the end.
const middle = (text, length = 34) => (text.length > length ? `${text.slice(0, Math.ceil(length / 2) - 1)}…${text.slice(-Math.floor(length / 2))}` : text);

// Names as long as a plot has room for; where that makes two alike, their beginning and the part in which they differ.
function shortNames(names) {
  const length = innerWidth > 700 ? 34 : 24;
  const cut = names.map((name) => middle(name, length));
  return new Map(names.map((name, index) => {
    const twins = names.filter((_, other) => other !== index && cut[other] === cut[index]);
    if (!twins.length) return [name, cut[index]];
    const begin = length / 3;
    const differs = twins.map((twin) => [...name].findIndex((sign, at) => sign !== twin[at])).filter((at) => at >= begin);
    const from = Math.max(begin, Math.min(...differs, name.length) - begin);
    return [name, `${name.slice(0, begin)}…${name.slice(from, from + 2 * begin)}…`];
  }));
}

// One row a contestant, best on top: a point and its interval.
function dots(series, lookOf, { zero, range }) {
  if (series.length === 1) series[0].offset = 0;
  const names = [...new Set(series.flatMap((one) => one.points.map((point) => point.name)))];
  const order = new Map(names.map((name, index) => [name, names.length - 1 - index]));
  const traces = series.map((one) => ({
    type: "scatter", mode: "markers", name: one.name, x: one.points.map((p) => 100 * p.estimate.value), y: one.points.map((p) => order.get(p.name) + one.offset),
    marker: { size: one.size, symbol: one.points.map((p) => (one.hollow ? "circle-open" : lookOf(p.name).symbol)), color: one.points.map((p) => lookOf(p.name).color), line: { width: 1, color: color("--surface") } },
    error_x: { type: "data", symmetric: false, thickness: one.thickness, width: 0, color: color("--muted"), array: one.points.map((p) => (p.estimate.high === null ? 0 : 100 * (p.estimate.high - p.estimate.value))), arrayminus: one.points.map((p) => (p.estimate.low === null ? 0 : 100 * (p.estimate.value - p.estimate.low))) },
    customdata: one.points.map((p) => [p.name, percent(p.estimate.value), interval(p.estimate), plural(p.estimate.n, "run")]),
    hovertemplate: `<b>%{customdata[0]}</b><br>${one.name}: %{customdata[1]} (%{customdata[2]}), %{customdata[3]}<extra></extra>`,
  }));
  return { traces, layout: { height: Math.max(220, 46 * names.length + 110), showlegend: series.length > 1, xaxis: { ticksuffix: " %", range, zeroline: Boolean(zero) },
    yaxis: { tickvals: [...order.values()], ticktext: [...order.keys()].map((name) => lookOf(name).label), range: [-0.7, names.length - 0.3], showgrid: false } } };
}

function successPlot(table, task, lookOf) {
  if (task) return dots([{ name: "success", points: cellsOf(table, task, "success"), size: 12, thickness: 2.5 }], lookOf, { range: [-3, 103] });
  const points = (kind) => table.summaries.map((s) => ({ name: s.contestant, estimate: s.success[kind] }));
  return dots([{ name: "same tasks", points: points("same_tasks"), offset: 0.1, size: 12, thickness: 3 },
    { name: "other tasks", points: points("other_tasks").filter((p) => p.estimate.low !== null), offset: -0.18, size: 7, hollow: true, thickness: 1.2 }].filter((one) => one.points.length), lookOf, { range: [-3, 103] });
}

function improvementPlot(table, task, lookOf) {
  const points = (kind) => (task ? cellsOf(table, task, kind) : table.summaries.map((s) => ({ name: s.contestant, estimate: s[kind] }))).filter((p) => p.estimate);
  return dots([{ name: "all runs", points: points("improvement"), offset: 0.1, size: 12, thickness: 3 },
    { name: "runs with a score", points: points("improvement_valid"), offset: -0.18, size: 8, hollow: true, thickness: 1.2 }], lookOf, { zero: true });
}

const cellsOf = (table, task, kind) => table.summaries.flatMap((s) => table.cells.filter((c) => c.task === task && c.contestant === s.contestant).map((c) => ({ name: c.contestant, estimate: c[kind] })));

const AXES = {
  steps: { title: "agent step", written: (x) => `step ${x}` },
  seconds: { title: "minutes of wall time", scale: 1 / 60, written: (x) => `${number(x)} min` },
  tokens: { title: "tokens of all model calls", written: (x) => `${count(x)} tokens` },
  money: { title: "US dollars for model calls", written: money },
};

// A line below the plot for every two names or so.
const roomForLegend = (traces) => 24 * Math.ceil(traces.filter((t) => t.showlegend !== false).length / (innerWidth > 700 ? 3 : 1));

function curvesPlot(curves, lookOf) {
  const axis = AXES[curves.axis];
  const place = (x) => x * (axis.scale ?? 1);
  const traces = curves.curves.flatMap((one) => {
    const own = lookOf(one.contestant);
    const x = one.at.map(place);
    const banded = x.map((_, at) => at).filter((at) => one.low[at] !== null && one.high[at] !== null);
    const edge = { type: "scatter", mode: "lines", x: banded.map((at) => x[at]), line: { width: 0, shape: "hv" }, hoverinfo: "skip", showlegend: false };
    const band = [{ ...edge, y: banded.map((at) => one.low[at]) }, { ...edge, y: banded.map((at) => one.high[at]), fill: "tonexty", fillcolor: shade(own.color, 0.14) }];
    const line = { type: "scatter", mode: "lines+markers", name: `${own.label} (${plural(one.runs, "run")})`, x, y: one.median, line: { shape: "hv", width: 2.5, color: own.color, dash: own.dash }, marker: { size: 5, symbol: own.symbol },
      customdata: x.map((at, i) => [axis.written(at), number(one.median[i])]), hovertemplate: "%{customdata[0]}: %{customdata[1]}<extra>%{fullData.name}</extra>" };
    return one.runs > 1 ? [...band, line] : [line];
  });
  const better = curves.direction === "maximize" ? "higher is better" : "lower is better";
  return { traces, layout: { height: 360 + roomForLegend(traces), showlegend: true, xaxis: { title: { text: axis.title }, rangemode: "tozero" }, yaxis: { title: { text: `${curves.split || ""} ${curves.metric} (${better})` } } } };
}

// Agent steps from 0 on, whole ones only, with room for the marks at both ends.
const stepAxis = (steps) => {
  const last = Math.max(1, ...steps);
  return { title: { text: "agent step" }, range: [-0.04 * last, 1.04 * last], tickformat: "d", ...(last < 8 ? { dtick: 1 } : {}) };
};

function gradesPlot(run) {
  const own = run.grades.filter((g) => g.score !== null);
  const best = run.result.best && own.find((g) => g.step === run.result.best.step);
  const line = { type: "scatter", mode: "lines+markers", name: "score", x: own.map((g) => g.step), y: own.map((g) => g.score), line: { shape: "hv", width: 2, color: seriesColor(0) }, marker: { size: 5 }, customdata: own.map((g) => number(g.score)), hovertemplate: "step %{x}: %{customdata}<extra></extra>" };
  const mark = best && { type: "scatter", mode: "markers", name: "best step", x: [best.step], y: [best.score], marker: { size: 13, symbol: "star", color: seriesColor(1) }, customdata: [number(best.score)], hovertemplate: "best, step %{x}: %{customdata}<extra></extra>" };
  const levels = [["baseline", run.result.baseline], ["reference", run.result.reference]].filter(([, value]) => value !== null);
  const better = run.result.direction === "maximize" ? "higher is better" : "lower is better";
  return { traces: [line, mark].filter(Boolean), layout: { height: 300, showlegend: false, xaxis: stepAxis(own.map((g) => g.step)), yaxis: { title: { text: better } },
    shapes: levels.map(([, y]) => ({ type: "line", xref: "paper", x0: 0, x1: 1, y0: y, y1: y, line: { dash: "dot", width: 1, color: color("--muted") } })),
    annotations: levels.map(([text, y]) => ({ text, xref: "paper", x: 1, y, xanchor: "right", yanchor: "bottom", showarrow: false, font: { size: 11, color: color("--muted") } })) } };
}

function profilesPlot(profiles, lookOf) {
  const traces = profiles.agents.map((agent) => {
    const one = profiles.profiles[agent];
    const own = lookOf(agent);
    return { type: "scatter", mode: "lines+markers", name: `${own.label} · AUP ${number(one.area)}`, x: [0, ...one.log10_factors, profiles.limit], y: [one.log10_factors[0] === 0 ? one.shares[0] : 0, ...one.shares, 1].map((share) => 100 * share),
      line: { shape: "hv", width: 2.5, color: own.color, dash: own.dash }, marker: { size: 6, symbol: own.symbol } };
  });
  return { traces, layout: { height: 340 + roomForLegend(traces), showlegend: true, xaxis: { title: { text: "log₁₀ of the factor to the best" } }, yaxis: { ticksuffix: " %", range: [-3, 105] } } };
}

function costPlot(table, lookOf) {
  const told = (name) => table.summaries.every((s) => s.efficiency.per_run[name] !== null) && table.summaries.some((s) => s.efficiency.per_run[name] > 0);
  const measure = ["cost", "tokens", "seconds"].find(told) ?? "steps";
  const priced = measure === "cost";
  const at = (s) => s.efficiency.per_run[measure];
  const unit = priced ? "US dollars" : measure;
  const most = Math.max(...table.summaries.map(at)) || 1;
  const front = table.pareto.map((name) => table.summaries.find((s) => s.contestant === name));
  const success = (s) => s.success.same_tasks;
  const line = { type: "scatter", mode: "lines", x: front.map(at), y: front.map((s) => 100 * success(s).value), showlegend: false, line: { dash: "dot", width: 1.5, color: color("--muted"), shape: "hv" }, hoverinfo: "skip" };
  const near = (a, b) => a !== b && Math.abs(at(a) - at(b)) < 0.15 * most && Math.abs(success(a).value - success(b).value) < 0.05;
  const roomy = innerWidth > 700 && !table.summaries.some((a) => table.summaries.some((b) => near(a, b)));
  const points = table.summaries.map((s) => ({ type: "scatter", mode: roomy ? "markers+text" : "markers", showlegend: !roomy, name: lookOf(s.contestant).label, x: [at(s)], y: [100 * success(s).value], text: [`  ${lookOf(s.contestant).label}  `], textposition: at(s) > 0.6 * most ? "middle left" : "middle right", cliponaxis: false,
    customdata: [[percent(success(s).value), priced ? money(at(s)) : measure === "seconds" ? duration(at(s)) : `${count(at(s))} ${unit}`]], marker: { size: 12, color: lookOf(s.contestant).color, symbol: lookOf(s.contestant).symbol }, error_y: { type: "data", symmetric: false, thickness: 1.5, width: 0, color: color("--muted"), array: [100 * ((success(s).high ?? success(s).value) - success(s).value)], arrayminus: [100 * (success(s).value - (success(s).low ?? success(s).value))] },
    hovertemplate: "<b>%{fullData.name}</b><br>%{customdata[0]} at %{customdata[1]} a run<extra></extra>" }));
  return { traces: [...(priced ? [line] : []), ...points], layout: { height: roomy ? 380 : 380 + roomForLegend(points), showlegend: !roomy, xaxis: { title: { text: `${unit} a run` }, tickprefix: priced ? "$" : "", range: [-0.04 * most, 1.06 * most] }, yaxis: { ticksuffix: " %", range: [-4, 108] } } };
}

// Curves over training where scripts print them; else one value a training run, over agent steps.
function seriesPlot(runs, name) {
  const series = runs.flatMap((run, index) => run.series.filter((s) => s.name === name).map((s) => ({ ...s, index, step: run.step })));
  const splits = distinct(series.map((s) => s.split ?? ""));
  const curved = series.some((s) => s.x.length > 1);
  const look = (split) => ({ size: curved ? 5 : 8, symbol: SYMBOLS[splits.indexOf(split ?? "") % SYMBOLS.length] });
  const traces = curved
    ? series.map((s) => ({ type: "scatter", mode: s.x.length > 1 ? "lines+markers" : "markers", name: `step ${s.step}${s.split ? ` · ${s.split}` : ""}`, x: s.x, y: s.y, marker: look(s.split), line: { width: 2, color: seriesColor(s.index), dash: s.split === "train" ? "dot" : "solid" }, hovertemplate: "%{x}: %{y:.5g}<extra>%{fullData.name}</extra>" }))
    : splits.map((split, index) => {
      const own = series.filter((s) => (s.split ?? "") === split);
      return { type: "scatter", mode: "lines+markers", name: split || name, x: own.map((s) => s.step), y: own.map((s) => s.y[0]), marker: look(split), line: { width: 1.5, color: seriesColor(index), dash: "dot" }, hovertemplate: "step %{x}: %{y:.5g}<extra>%{fullData.name}</extra>" };
    });
  return { traces, layout: { height: 280, showlegend: traces.length > 1 && traces.length < 13, legend: { orientation: "h", y: -0.25 }, xaxis: curved ? { title: { text: "epoch or training step" } } : stepAxis(series.map((s) => s.step)), yaxis: {} } };
}
