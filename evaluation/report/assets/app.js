// What is shown follows the address: #/ the report, #/runs its list, #/run/ID/STEP one run.
const reportTitle = document.title;
let shownRun = null;

function drawVariant(part) {
  const v = part.table.variant;
  const names = part.claims.map((one) => one.contestant);
  const graded = part.table.summaries.length > 0;
  const choose = () => {
    const task = $(`${v}-task`).value;
    plot($(`${v}-success`), () => successPlot(part.table, task));
    plot($(`${v}-improvement`), () => improvementPlot(part.table, task));
  };
  if (graded) {
    $(`${v}-task`).addEventListener("change", choose);
    choose();
    plot($(`${v}-cost`), () => costPlot(part.table));
  }
  for (const [chooser, chart, all] of [["curve-task", "curves", part.curves], ["score-task", "scores", part.scores]]) {
    const task = $(`${v}-${chooser}`);
    if (!task) continue;
    const draw = () => plot($(`${v}-${chart}`), () => curvesPlot(all[Number(task.value)], names));
    task.addEventListener("change", draw);
    draw();
  }
  if (part.table.profiles) plot($(`${v}-profiles`), () => profilesPlot(part.table.profiles, names));
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
  const held = new ResizeObserver(() => section.scrollIntoView({ behavior: "instant" }));
  const moves = ["wheel", "touchstart", "pointerdown", "keydown"];
  release = () => { held.disconnect(); moves.forEach((move) => removeEventListener(move, release)); release = () => {}; };
  moves.forEach((move) => addEventListener(move, release));
  held.observe($("overview"));
}

function route() {
  release();
  const address = location.hash.startsWith("#/") ? location.hash.slice(2) : null;
  const [path, query] = (address ?? "").split("?");
  const [kind, id, step] = path.split("/").map(decodeURIComponent);
  const isRun = kind === "run" && id;
  $("overview").hidden = Boolean(isRun);
  $("page").hidden = !isRun;
  if (isRun) {
    if (shownRun === id) goToStep(step); else { shownRun = id; showRun($("page"), id, step).then(forget); }
    return;
  }
  shownRun = null;
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
