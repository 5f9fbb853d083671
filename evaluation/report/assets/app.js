// What is shown follows the address: #/ the report, #/runs its list, #/run/ID/STEP one run, #/compare/ID/ID two runs.
const reportTitle = document.title;
let shownPage = null;

function drawVariant(part) {
  const v = part.table.variant;
  const lookOf = looks(part);
  const counting = $(`${v}-counting`);
  const results = () => (counting?.checked ? part.counting_unfinished : part);
  if (part.table.summaries.length) {
    const choose = () => {
      const task = $(`${v}-task`).value;
      plot($(`${v}-success`), () => successPlot(results().table, task, lookOf));
      plot($(`${v}-improvement`), () => improvementPlot(results().table, task, lookOf));
      plot($(`${v}-cost`), () => costPlot(results().table, lookOf));
    };
    $(`${v}-task`).addEventListener("change", choose);
    counting?.addEventListener("change", () => {
      for (const [shown, name] of [[!counting.checked, v], [counting.checked, `${v}-all`]]) document.querySelector(`[data-results="${name}"]`).hidden = !shown;
      choose();
    });
    choose();
  }
  for (const [kind, chart, all] of [["curve", "curves", part.curves], ["score", "scores", part.scores]]) {
    const task = $(`${v}-${kind}-task`);
    if (!task) continue;
    const axis = $(`${v}-${kind}-axis`);
    const chosen = () => all.find((one) => one.task === task.value && one.axis === axis.value);
    const draw = () => {
      for (const option of axis.options) option.disabled = !all.some((one) => one.task === task.value && one.axis === option.value);
      if (!chosen()) axis.value = "steps";
      plot($(`${v}-${chart}`), () => curvesPlot(chosen(), lookOf));
    };
    task.addEventListener("change", draw);
    axis.addEventListener("change", draw);
    draw();
  }
  if (part.table.profiles) plot($(`${v}-profiles`), () => profilesPlot(part.table.profiles, lookOf));
}

function drawSections() {
  const links = [...document.querySelectorAll("[data-nav]")].map((section) => h("a", { href: `#${section.id}` }, section.dataset.nav));
  $("sections").replaceChildren(...links);
  // With many sections the bar has two lines; what is gone to must not lie below it.
  const bar = document.querySelector(".top");
  const tell = () => document.documentElement.style.setProperty("--head", `${bar.offsetHeight}px`);
  tell();
  new ResizeObserver(tell).observe(bar);
  const lazy = new IntersectionObserver((entries) => {
    for (const entry of entries) if (entry.isIntersecting) { lazy.unobserve(entry.target); claimTable(entry.target, entry.target.dataset.variant); }
  }, { rootMargin: "400px" });
  document.querySelectorAll(".claims").forEach((host) => lazy.observe(host));
}

// A section is gone to at once, and kept in view while what is drawn around it takes its place, until the reader moves.
let release = () => {};
function land(section) {
  release();
  if (!section) return;
  section.scrollIntoView({ behavior: "instant" });
  const held = new ResizeObserver(() => section.scrollIntoView({ behavior: "instant" }));
  const moves = ["wheel", "touchstart", "pointerdown", "keydown"];
  release = () => { held.disconnect(); moves.forEach((move) => removeEventListener(move, release)); release = () => {}; };
  moves.forEach((move) => addEventListener(move, release));
  held.observe(section.closest("#page") ?? $("overview"));
}

function route() {
  release();
  const address = location.hash.startsWith("#/") ? location.hash.slice(2) : null;
  const [path, query] = (address ?? "").split("?");
  const [kind, id, then] = path.split("/").map(decodeURIComponent);
  const isPage = ["run", "compare"].includes(kind) && Boolean(id);
  $("overview").hidden = isPage;
  $("page").hidden = !isPage;
  if (isPage) {
    const page = kind === "run" ? id : `${id} ${then}`;
    if (shownPage === page) { if (kind === "run") goToStep(then); return; }
    shownPage = page;
    (kind === "run" ? showRun($("page"), id, then) : showComparison($("page"), id, then)).then(forget);
    return;
  }
  shownPage = null;
  document.title = reportTitle;
  $("page").replaceChildren();
  forget();
  if (kind === "runs") {
    runTable($("run-table"), Object.fromEntries(new URLSearchParams(query)));
    land($("runs"));
  } else if (address === null && location.hash) land($(location.hash.slice(1)));
  redraw();
}

$("theme").addEventListener("click", () => {
  const dark = document.documentElement.dataset.theme ? document.documentElement.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = dark ? "light" : "dark";
  redraw();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
addEventListener("hashchange", route);
data.summary.variants.forEach(drawVariant);
drawSections();
runTable($("run-table"));
route();
