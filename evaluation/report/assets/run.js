// The page of one run: what it wrote, did and saw.
async function showRun(host, id, step) {
  const index = data.runs.findIndex((row) => row.run_id === id);
  if (index < 0) { host.replaceChildren(h("h1", {}, "No such run"), h("p", {}, h("a", { href: "#/" }, "Back to the report"))); return; }
  host.replaceChildren(h("p", { role: "status" }, "Opening …"));
  const run = await loadRun(index);
  const training = run.steps.filter((s) => s.training).map((s) => ({ ...s.training, step: s.n }));
  host.replaceChildren(...[runHead(run, data.runs[index]), howItWent(run), searchTree(run), trainingPlots(training), submitted(run), claimList(run), trail(run)].filter(Boolean));
  document.title = id;
  followSteps(host);
  startReplay(host, run);
  host.querySelector("h1").focus();
  goToStep(step);
}

function goToStep(step) {
  const target = step === undefined ? null : $(`step-${step}`);
  if (!target) { window.scrollTo(0, 0); return; }
  replay?.show(Number(step));
  land(target);
  target.focus({ preventScroll: true });
}

// The step in view is the current one of the rail.
function followSteps(host) {
  const rail = host.querySelector(".rail");
  const links = new Map([...rail.querySelectorAll("a")].map((link) => [link.dataset.step, link]));
  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries) if (entry.isIntersecting) {
      links.forEach((link) => link.removeAttribute("aria-current"));
      const link = links.get(entry.target.dataset.step);
      link?.setAttribute("aria-current", "step");
      if (link) rail.scrollTop = link.offsetTop - rail.clientHeight / 2;
    }
  }, { rootMargin: "-20% 0px -70% 0px" });
  host.querySelectorAll(".step").forEach((card) => seen.observe(card));
}

function runHead(run, row) {
  const r = run.result;
  const facts = [
    ["Agent", r.agent], ["Model", r.model || NONE], ["Task", `${r.task} (${r.variant})`], ["Seed", r.seed ?? NONE],
    ["Ended by", words(r.ended_by || r.status)], ["Success", successOf(row)],
    [`Score, ${words(r.metric)}`, number(r.score)], ["Baseline", number(r.baseline)], ["Reference", number(r.reference)],
    ...(r.score_from ? [["Score from", r.score_from]] : []), ...(r.baseline_from ? [["Baseline from", r.baseline_from]] : []),
    ["Improvement", signed(r.improvement)], ["Improves by more than", thresholds(r.success_at)], ["Beyond noise", r.noise_threshold === null ? NONE : `${r.success_beyond_noise ? "yes" : "no"} (${percent(r.noise_threshold)})`],
    ...submissionFacts(r),
    ...(r.best ? [["Best step", [h("a", { href: runAddress(r.run_id, r.best.step) }, `step ${r.best.step}`), ` ${number(r.best.score)}`]], ["Its improvement", signed(r.best.improvement)]] : []),
    ["Normalised", number(r.normalised)], ["Steps", r.steps], ["Training runs", r.training_runs],
    ["Tokens", count(r.tokens)], ["Cost", money(r.cost)], ["Time", duration(r.seconds)],
    ...(r.usage ? [["Working time", duration(r.usage.working_seconds)], ["Training time", duration(r.usage.training_seconds)], ["Prompt tokens", `${count(r.usage.prompt_tokens)}, ${count(r.usage.cached_tokens)} cached`], ["Completion tokens", count(r.usage.completion_tokens)]] : []),
    ["Sandbox", r.sandbox],
    ...(run.config?.tags.length ? [["Tags", run.config.tags.join(", ")]] : []),
  ];
  const alerts = [r.error, r.invalid_submission && `Invalid submission: ${r.invalid_submission}`, ...r.integrity.map((text) => `Noted: ${text}`)].filter(Boolean);
  return h("section", { class: "run-head" }, h("p", { class: "eyebrow" }, h("a", { href: "#/runs" }, "All runs"), " · ", row.contestant), h("h1", { tabindex: "-1" }, r.run_id), compareWith(row),
    alerts.map((text) => h("p", { class: "alert" }, text)),
    h("dl", { class: "meta" }, facts.map(([term, text]) => h("div", {}, h("dt", {}, term), h("dd", {}, text)))),
    run.failures.length > 0 && h("div", {}, h("h2", {}, "Failure modes"), h("ul", {}, run.failures.map((f) => h("li", {}, h("strong", {}, words(f.mode)), f.note && `: ${f.note} `, f.steps.length > 0 && [" (", f.steps.map((n, i) => [i ? ", " : "", h("a", { href: runAddress(r.run_id, n) }, `step ${n}`)]), ")"])))));
}

// Which step was graded under a rule that chooses, and how the other one would have done.
function submissionFacts({ submission: made, run_id: id }) {
  if (!made || (made.rule === "last" && !made.other)) return [];
  const step = (n) => h("a", { href: runAddress(id, n) }, `step ${n}`);
  const { best_validated: chosen, other } = made;
  return [
    ["Submitted", [step(made.step), `, ${made.rule}`]],
    ...(chosen ? [["Best validated", [step(chosen.step), ` ${chosen.metric} ${number(chosen.value)}`]]] : []),
    ...(other ? [["Not submitted", [step(other.step), ` ${other.score === null ? "no score" : number(other.score)}, ${signed(other.improvement)}`]]] : []),
  ];
}

const thresholds = (at) => Object.entries(at).filter(([, above]) => above).map(([threshold]) => threshold).join(", ").replace(/.+/, "$& %") || "no threshold";

// Where its steps, time and tokens went, the hidden score over steps, and what a judge says.
function howItWent(run) {
  const chart = run.grades.some((g) => g.score !== null) && h("div", { class: "chart", role: "img", "aria-label": `Hidden ${run.result.metric} after each step; the values stand at the steps below` });
  if (chart) plot(chart, () => gradesPlot(run));
  const table = run.kinds.length > 0 && h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Steps, time and tokens by kind of action" }, h("table", {},
    h("caption", {}, h("span", {}, "Steps, time and tokens by kind of action. Thinking is the time of model calls.")),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Kind"), ["Steps", "Time", "Tokens"].map((name) => h("th", { scope: "col", class: "num" }, name)))),
    h("tbody", {}, run.kinds.map((k) => h("tr", {}, h("th", { scope: "row" }, k.kind), h("td", { class: "num" }, k.steps || ""), h("td", { class: "num" }, run.kinds.some((one) => one.seconds > 0) ? duration(k.seconds) : NONE), h("td", { class: "num" }, k.tokens ? count(k.tokens) : ""))))),
    h("ul", { class: "chips", "aria-label": "Process measures" }, Object.entries(run.process).map(([name, value]) => h("li", {}, `${name}: ${value}`))));
  const parts = [chart && h("figure", { class: "plot" }, h("figcaption", {}, `Hidden ${words(run.result.metric)} over steps, graded after the run`), chart), table, run.judgement && judged(run.judgement)].filter(Boolean);
  return parts.length ? h("section", {}, h("h2", {}, "How it went"), h("div", { class: "pair" }, parts)) : null;
}

function judged({ model, rubric }) {
  const { summary, ...answers } = rubric;
  return h("div", { class: "judged" }, h("h3", {}, "What the judge says"), h("p", {}, summary), h("p", { class: "note" }, `By ${model}: a language model's opinion, not a measurement.`),
    h("ul", { class: "chips" }, Object.entries(answers).map(([question, yes]) => h("li", {}, `${words(question)}: ${yes ? "yes" : "no"}`))));
}

function trainingPlots(training) {
  const names = [...new Set(training.flatMap((run) => run.series.map((s) => s.name)))];
  if (!names.length) return null;
  const figures = names.slice(0, 12).map((name) => {
    const chart = h("div", { class: "chart", role: "img", "aria-label": `${name} over training, one line for each of ${plural(training.length, "training run")}; final values stand at each step below` });
    plot(chart, () => seriesPlot(training, name));
    return h("figure", { class: "plot" }, h("figcaption", {}, name), chart);
  });
  return h("section", {}, h("h2", {}, "Training curves"), h("div", { class: "pair" }, figures));
}

function claimList(run) {
  if (!run.claims.length) return null;
  const host = h("div");
  liveTable(host, {
    caption: "Claims of this run with their verdicts; evidence opens below the claim.", noun: "claim", rows: run.claims, perPage: 10, sort: ["verdict", false],
    filters: [{ key: "verdict", label: "Verdict", options: VERDICTS.filter((v) => run.claims.some((c) => c.verdict === v)), test: (c, v) => c.verdict === v }],
    columns: [...claimColumns, { key: "step", label: "Step", value: (c) => c.step, cell: (c) => h("a", { href: runAddress(run.result.run_id, c.step) }, `step ${c.step}`) }],
    detail: (claim) => evidence(claim, run.result.run_id),
  });
  return h("section", {}, h("h2", {}, "Claims"), host);
}

// The files at the end against the starter's; of an imported run, the script of its last training run.
function submitted(run) {
  const last = run.steps.findLast((s) => s.training?.diff)?.training;
  const changes = run.submitted.length ? run.submitted : last ? [{ path: last.script, kind: "changed", diff: last.diff }] : [];
  if (!changes.length) return null;
  return h("section", {}, h("h2", {}, "What was submitted, against the starter"), h("div", { class: "submitted" }, changes.map(changedFile)));
}

// From so many steps on, they are laid out only where one looks at them.
const LONG = 200;

function trail(run) {
  const claimsAt = (n) => run.claims.filter((claim) => claim.step === n);
  const link = (s) => h("li", {}, h("a", { href: runAddress(run.result.run_id, s.n), "data-step": s.n }, h("span", { class: "n" }, s.n), middle(s.action, 22), h("span", { class: "pips", "aria-hidden": "true" }, claimsAt(s.n).sort(bySeverity).slice(0, 6).map((claim) => h("i", { class: `pip v-${claim.verdict}` })))));
  return h("section", {}, h("h2", {}, "Steps"), replayBar(run), h("div", { class: run.steps.length > LONG ? "trail long" : "trail" },
    h("nav", { class: "rail", "aria-label": "Steps of this run" }, h("ol", {}, run.steps.map(link))), h("div", {}, run.steps.map((s) => stepCard(s, claimsAt(s.n), run.grades[s.n], run)))));
}

function stepCard(s, claims, grade, run) {
  const isShort = ([, value]) => value.length < 90 && !value.includes("\n");
  // A final answer stands in the prose, with its claims marked.
  const entries = Object.entries(s.args).filter(([, value]) => !Object.values(s.prose).includes(value));
  const argumentsOf = [
    entries.some(isShort) && h("dl", { class: "args" }, entries.filter(isShort).map(([name, value]) => h("div", {}, h("dt", {}, words(name)), h("dd", {}, h("code", {}, value))))),
    entries.filter((entry) => !isShort(entry)).map(([name, value]) => [h("h4", {}, words(name)), h("pre", { tabindex: "0" }, value)]),
  ];
  return h("article", { class: "step", id: `step-${s.n}`, "data-step": s.n, tabindex: "-1", "aria-labelledby": `step-${s.n}-title` },
    h("header", {}, h("h3", { id: `step-${s.n}-title` }, `${s.n} · ${s.action}`), s.outcome !== "ok" && h("span", { class: `outcome ${s.outcome}` }, s.outcome), s.final && h("span", { class: "tag" }, "final answer"),
      grade && h("span", { class: "tag", title: grade.invalid || "hidden score of the workspace after this step" }, grade.score === null ? "no score" : `score ${number(grade.score)}, ${signed(grade.improvement)}`),
      h("span", { class: "note" }, [s.started, s.started && duration(s.seconds), s.prompt_tokens + s.completion_tokens > 0 && `${count(s.prompt_tokens + s.completion_tokens)} tokens`].filter(Boolean).join(" · "))),
    h("div", {}, Object.entries(s.prose).map(([entry, text]) => h("div", { class: "entry" }, h("h4", {}, words(entry)), h("p", {}, marked(text, claims.filter((claim) => claim.field === entry), run)))),
      argumentsOf, s.changes.map(changedFile), s.training && trainingCard(s.training), s.observation && [h("h4", {}, s.authored ? "Observation, written by a model" : "Observation"), h("pre", { tabindex: "0" }, diffLines(s.observation))]));
}

function changedFile(change) {
  const lines = change.diff ? change.diff.split("\n") : [];
  const size = change.diff ? ` +${lines.filter((l) => /^\+(?!\+\+ )/.test(l)).length} −${lines.filter((l) => /^-(?!-- )/.test(l)).length}` : " not shown: large or not text";
  return h("details", { class: "change", open: change.kind === "changed" && lines.length < 60 }, h("summary", {}, h("span", { class: "mono" }, change.path), h("span", { class: "note" }, ` ${change.kind}${size}`)), change.diff && h("pre", { tabindex: "0" }, diffLines(change.diff, true)));
}

function trainingCard(t) {
  const last = t.series.map((s) => h("li", {}, `${s.split ? `${s.split} ` : ""}${s.name} ${number(s.y.at(-1))}`));
  return h("div", { class: "training" }, h("p", {}, h("strong", {}, t.script), ` · ${t.ended} · ${duration(t.seconds)} ${t.took ? `· ${t.took} ` : ""}`, h("span", { class: "muted" }, "training run ", h("span", { class: "mono" }, t.id))),
    last.length > 0 && h("ul", { class: "chips", "aria-label": "last values" }, last), t.diff && h("details", {}, h("summary", {}, "Changes to the starter script"), h("pre", { tabindex: "0" }, diffLines(t.diff, true))));
}

// Prose with its claims marked; below the line of a false one stands what refutes it. Quotes are exact substrings;
// of those that overlap the first is marked, of those that begin together the worst.
function marked(text, claims, run) {
  const spots = claims.map((claim) => ({ claim, at: text.indexOf(claim.quote) })).filter((spot) => spot.at >= 0).sort((a, b) => a.at - b.at || bySeverity(a.claim, b.claim));
  const parts = [];
  let end = 0;
  let notes = [];
  const upTo = (to) => {
    const line = text.indexOf("\n", end);
    if (notes.length && line >= 0 && line < to) { parts.push(text.slice(end, line), notes, text.slice(line + 1, to)); notes = []; } else parts.push(text.slice(end, to));
    end = to;
  };
  for (const { claim, at } of spots) {
    if (at >= end) {
      upTo(at);
      parts.push(h("mark", { class: `v-${claim.verdict}`, title: `${claim.verdict}${claim.evidence ? `: ${claim.evidence}` : ""}` }, claim.quote, h("span", { class: "sr" }, ` (${claim.verdict})`)));
      end = at + claim.quote.length;
    }
    if (PROBLEMS.includes(claim.verdict)) notes.push(refuted(claim, run));
  }
  upTo(text.length);
  return [...parts, notes];
}

// The rows of the record that a claim fails on.
function refuted(claim, run) {
  const rows = claim.rests_on.map((id) => run.evidence[id]).filter(Boolean);
  const shown = rows.length ? rows.map((row) => evidenceRow(row, run)) : claim.evidence ? [[stepLink(run, claim.evidence_step), ": ", h("code", {}, claim.evidence)]] : [];
  return h("span", { class: `refuted v-${claim.verdict}`, role: "note" }, verdict(claim.verdict), " ", h("q", {}, middle(claim.quote, 120)), claim.note || shown.length ? ": " : "", claim.note && `${claim.note}. `, shown.map((line) => h("span", { class: "row" }, line)));
}

const stepLink = (run, n) => h("a", { href: runAddress(run.result.run_id, n) }, `step ${n}`);

function evidenceRow(row, run) {
  const what = row.kind === "measurement" ? [row.label, row.split, row.metric].filter(Boolean).join(" ") : words(row.kind);
  const value = row.value === undefined ? "" : ` ${number(Number(row.value))}${row.unit === "percent" ? " %" : ""}`;
  const where = [row.epoch !== undefined && `epoch ${row.epoch}`, row.file && row.file, row.line && `line ${row.line}`].filter(Boolean).join(", ");
  return [stepLink(run, row.step), ` · ${what}${value}${where ? ` · ${where}` : ""} `, row.text && h("code", {}, middle(row.text, 160))];
}

function diffLines(text, sure = false) {
  if (!sure && !/^@@ -\d+/m.test(text)) return text;
  let inside = sure;
  return text.split("\n").map((line) => {
    inside ||= line.startsWith("@@");
    const kind = !inside || /^(\+\+\+|---)/.test(line) ? "" : line.startsWith("@@") ? "hunk" : line.startsWith("+") ? "add" : line.startsWith("-") ? "del" : "";
    return kind ? h("span", { class: kind }, `${line}\n`) : `${line}\n`;
  });
}
