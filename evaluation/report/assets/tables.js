// Paper turns no pages: there a table has so many rows.
const ON_PAPER = 200;
const liveTables = new Map();
const redrawTables = (rows) => liveTables.forEach((draw, host) => { if (host.isConnected) draw(rows); else liveTables.delete(host); });
addEventListener("beforeprint", () => redrawTables(ON_PAPER));
addEventListener("afterprint", () => redrawTables());

// A table that sorts, filters and turns pages, so that thousands of rows stay quick.
function liveTable(host, { caption, columns, rows, filters, detail, sort, noun, perPage = 25 }) {
  const state = { sort: sort?.[0] ?? null, down: sort?.[1] ?? false, page: 0, filters: { ...Object.fromEntries(filters.map((f) => [f.key, f.initial ?? ""])) } };
  const controls = filters.map((filter) => filterControl(filter, state, () => { state.page = 0; draw(); }));
  const status = h("p", { class: "note", role: "status", "aria-live": "polite" });
  const body = h("tbody");
  // Headings stay as they are made: one that is replaced as it sorts would lose the focus.
  const headings = columns.map((column) => heading(column, state, () => draw()));
  const head = h("tr", {}, headings, detail ? h("th", { scope: "col" }, h("span", { class: "sr" }, "Evidence")) : null);
  const previous = h("button", { type: "button", onclick: () => turn(-1) }, "Previous");
  const next = h("button", { type: "button", onclick: () => turn(1) }, "Next");
  const turn = (by) => { state.page += by; draw(); };

  function shown() {
    const kept = rows.filter((row) => filters.every((f) => !state.filters[f.key] || f.test(row, state.filters[f.key])));
    const column = columns.find((c) => c.key === state.sort);
    if (!column) return kept;
    const sign = state.down ? -1 : 1;
    return kept.map((row) => [column.value(row), row]).sort(([a], [b]) => (a === b ? 0 : a === null ? 1 : b === null ? -1 : a < b ? -sign : sign)).map(([, row]) => row);
  }

  function draw(onPaper) {
    const all = shown();
    const size = onPaper ?? perPage;
    const last = Math.max(0, Math.ceil(all.length / perPage) - 1);
    state.page = Math.min(state.page, last);
    const from = onPaper ? 0 : state.page * perPage;
    const part = all.slice(from, from + size);
    columns.forEach((column, index) => markOrder(headings[index], column, state));
    body.replaceChildren(...part.flatMap((row) => rowElements(row, columns, detail)));
    status.textContent = all.length ? `${from + 1}–${from + part.length} of ${plural(all.length, noun)}` : `No ${noun} matches.`;
    previous.disabled = state.page === 0;
    next.disabled = state.page === last;
  }

  host.replaceChildren(
    h("div", { class: "controls" }, controls, h("span", { class: "pages" }, status, previous, next)),
    h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption }, h("table", { class: "rows" }, h("caption", {}, h("span", {}, caption)), h("thead", {}, head), body)));
  draw();
  liveTables.set(host, draw);
}

function filterControl(filter, state, changed) {
  const update = (event) => { state.filters[filter.key] = event.target.value; changed(); };
  if (!filter.options) return h("label", {}, filter.label, h("input", { type: "search", "aria-label": filter.label, oninput: update, placeholder: filter.placeholder, value: filter.initial }));
  if (filter.options.length < 2) return null;
  return h("label", {}, filter.label, h("select", { onchange: update, "aria-label": filter.label }, h("option", { value: "" }, "all"),
    filter.options.map((option) => h("option", { value: option, selected: option === filter.initial }, words(option)))));
}

function heading(column, state, draw) {
  const sortBy = () => { state.down = state.sort === column.key ? !state.down : Boolean(column.numeric); state.sort = column.key; draw(); };
  return h("th", { scope: "col", class: column.numeric ? "num" : null }, column.value ? h("button", { type: "button", onclick: sortBy }, column.label) : column.label);
}

function markOrder(th, column, state) {
  if (state.sort === column.key) th.setAttribute("aria-sort", state.down ? "descending" : "ascending");
  else th.removeAttribute("aria-sort");
}

function rowElements(row, columns, detail) {
  const cells = columns.map((column, index) => h(index ? "td" : "th", { scope: index ? null : "row", "data-label": index ? column.label : null, class: [column.numeric && "num", column.className].filter(Boolean).join(" ") || null }, column.cell(row)));
  const line = h("tr", {}, cells);
  if (!detail) return [line];
  const extra = h("tr", { class: "evidence", hidden: true }, h("td", { colspan: columns.length + 1 }));
  const toggle = h("button", { type: "button", "aria-expanded": "false", onclick: () => {
    extra.hidden = !extra.hidden;
    toggle.setAttribute("aria-expanded", String(!extra.hidden));
    if (!extra.firstChild.hasChildNodes()) extra.firstChild.append(detail(row));
  } }, "Evidence");
  line.append(h("td", { class: "opens" }, toggle));
  return [line, extra];
}

const claimsOf = (row, verdicts) => verdicts.reduce((sum, name) => sum + (row.claims[name] || 0), 0);
const problems = (row) => claimsOf(row, PROBLEMS);
// Of the claims that can be checked, as the head of the page and the rates count them.
const problemShare = (row) => (claimsOf(row, CHECKABLE) ? `${problems(row)} of ${claimsOf(row, CHECKABLE)}` : NONE);

// A column of the registry: its figure, written as the column asks.
const WRITTEN = { text: (value) => value ?? NONE, number, count, percent, money, duration };
function figureColumn({ name, title, shown_as }) {
  const figure = (run) => run.figures[name] ?? null;
  return { key: name, label: title, numeric: shown_as !== "text", value: figure, cell: (run) => WRITTEN[shown_as](figure(run)) };
}

function runTable(host, wanted = {}) {
  const rows = data.runs;
  liveTable(host, {
    caption: "All runs; a run's name opens its page.", noun: "run", rows, sort: ["contestant", false],
    filters: [
      { key: "contestant", label: "Contestant", options: distinct(rows.map((r) => r.contestant)), test: (r, v) => r.contestant === v, initial: wanted.contestant },
      { key: "task", label: "Task", options: distinct(rows.map((r) => r.task)), test: (r, v) => r.task === v },
      { key: "failure", label: "Failure", options: distinct(rows.flatMap((r) => r.failures)), test: (r, v) => r.failures.includes(v), initial: wanted.failure },
      { key: "text", label: "Search", placeholder: "run, status …", test: (r, v) => JSON.stringify(r).toLowerCase().includes(v.toLowerCase()) },
    ],
    columns: [
      { key: "run", label: "Run", value: (r) => r.run_id, className: "name", cell: (r) => h("a", { href: runAddress(r.run_id), title: r.run_id }, middle(r.run_id, 44)) },
      { key: "contestant", label: "Contestant", value: (r) => `${r.contestant} ${r.task} ${r.seed}`, className: "name", cell: (r) => r.contestant },
      { key: "task", label: "Task", value: (r) => r.task, cell: (r) => `${r.task}${r.variant === "mini" ? " (mini)" : ""}` },
      { key: "seed", label: "Seed", numeric: true, value: (r) => r.seed, cell: (r) => r.seed ?? NONE },
      { key: "ended", label: "Ended by", value: (r) => r.ended_by || r.status, cell: (r) => words(r.status === "completed" ? r.ended_by || r.status : r.status) },
      { key: "success", label: "Success", value: (r) => successOf(r), cell: (r) => [r.graded && h("span", { class: `dot${r.success ? " yes" : ""}`, "aria-hidden": "true" }), successOf(r)] },
      { key: "score", label: "Score", numeric: true, value: (r) => r.score, cell: (r) => h("span", { title: r.metric }, number(r.score)) },
      { key: "improvement", label: "Improvement", numeric: true, value: (r) => r.improvement, cell: (r) => signed(r.improvement) },
      { key: "problems", label: "Problem claims", numeric: true, value: problems, cell: problemShare },
      ...data.columns.map((column) => figureColumn(column)),
    ],
  });
}

// Problems come first: what is wrong is what one looks for.
const claimColumns = [
  { key: "verdict", label: "Verdict", value: (c) => SEVERITY.indexOf(c.verdict), cell: (c) => verdict(c.verdict) },
  { key: "quote", label: "Claim", className: "quote", value: (c) => c.quote, cell: (c) => c.quote },
  { key: "kind", label: "Kind", value: (c) => c.kind, cell: (c) => c.kind },
  { key: "field", label: "Where", value: (c) => c.field, cell: (c) => words(c.field) },
];

async function claimTable(host, variant) {
  const claims = (await loadClaims()).filter((claim) => data.runs[claim.run].variant === variant);
  liveTable(host, {
    caption: `Claims${data.summary.variants.length > 1 ? ` on ${variant} data` : ""} with their verdicts. Evidence opens below the claim.`, noun: "claim", rows: claims, sort: ["verdict", false], perPage: 10,
    filters: [
      { key: "verdict", label: "Verdict", options: VERDICTS.filter((v) => claims.some((c) => c.verdict === v)), test: (c, v) => c.verdict === v },
      { key: "kind", label: "Kind", options: distinct(claims.map((c) => c.kind)), test: (c, v) => c.kind === v },
      { key: "contestant", label: "Contestant", options: distinct(claims.map((c) => data.runs[c.run].contestant)), test: (c, v) => data.runs[c.run].contestant === v },
      { key: "text", label: "Search", placeholder: "words of the claim", test: (c, v) => c.quote.toLowerCase().includes(v.toLowerCase()) },
    ],
    columns: [
      ...claimColumns,
      { key: "run", label: "Run and step", value: (c) => c.run * 1e5 + c.step, cell: (c) => h("a", { href: runAddress(data.runs[c.run].run_id, c.step) }, `${middle(data.runs[c.run].run_id)}, step ${c.step}`) },
    ],
    detail: (claim) => evidence(claim, data.runs[claim.run].run_id),
  });
}

function evidence(claim, runId) {
  const entries = [
    ["Evidence", claim.evidence ? h("code", {}, claim.evidence) : "Nothing on record."],
    claim.evidence_step !== null && ["Seen at", h("a", { href: runAddress(runId, claim.evidence_step) }, `step ${claim.evidence_step}`)],
    claim.training_run && ["Training run", `${claim.training_run}${claim.evidence_line ? `, line ${claim.evidence_line}` : ""}`],
    claim.metric && ["Metric", claim.metric],
    claim.value !== null && ["Stated", `${number(claim.value)} ${claim.unit === "none" ? "" : claim.unit}`],
    claim.note && ["Why", claim.note],
    claim.confirmed && ["Fact check", PROBLEMS.includes(claim.verdict) ? "The agent calls it confirmed; the record does not." : "The agent calls it confirmed."],
    claim.hidden && ["Hidden grade", "The record supports it, the hidden grade belies it."],
    claim.lives_until !== null && claim.lives_until !== undefined && ["Repeated until", `step ${claim.lives_until}${claim.in_answer ? ", and in the final answer" : ""}`],
  ].filter(Boolean);
  return h("dl", {}, entries.map(([term, text]) => [h("dt", {}, term), h("dd", {}, text)]));
}
