// One step at a time, by buttons or keys: j and → go on, k and ← go back, r turns it on and off.
let replay = null;

function replayBar(run) {
  const last = run.steps.length - 1;
  if (last < 1) return null;
  const button = (name, label, sign) => h("button", { type: "button", "data-go": name, "aria-label": label, title: label }, sign);
  return h("div", { class: "replay controls", role: "group", "aria-label": "Replay of the run" },
    h("button", { type: "button", "data-go": "toggle", "aria-pressed": "false" }, "Replay"),
    button("first", "First step", "|◀"), button("back", "Previous step (k or ←)", "◀"), button("on", "Next step (j or →)", "▶"), button("last", "Last step", "▶|"),
    h("input", { type: "range", min: "0", max: String(last), value: "0", "aria-label": "Step" }),
    h("span", { class: "note", role: "status" }, "j and k go from step to step"));
}

function startReplay(host, run) {
  const bar = host.querySelector(".replay");
  replay = bar && new Replay(host, bar, run);
}

class Replay {
  constructor(host, bar, run) {
    Object.assign(this, { host, run, at: 0, slider: bar.querySelector("input"), toggle: bar.querySelector("[data-go=toggle]"), status: bar.querySelector("[role=status]") });
    bar.addEventListener("click", (event) => { const go = event.target.dataset.go; if (go) this.go(go); });
    this.slider.addEventListener("input", () => { this.turn(true); this.to(Number(this.slider.value)); });
  }

  get on() { return this.toggle.getAttribute("aria-pressed") === "true"; }

  go(where) {
    const last = this.run.steps.length - 1;
    if (where === "toggle") { this.turn(!this.on); this.to(this.at); return; }
    this.to({ first: 0, back: Math.max(0, this.at - 1), on: Math.min(last, this.at + 1), last }[where]);
  }

  turn(on) {
    this.toggle.setAttribute("aria-pressed", String(on));
    this.host.querySelector(".trail").classList.toggle("replaying", on);
  }

  to(n) {
    this.show(n);
    history.replaceState(null, "", runAddress(this.run.result.run_id, n));
    const card = $(`step-${n}`);
    (this.on ? this.host.querySelector(".replay") : card).scrollIntoView({ behavior: "instant" });
    card.focus({ preventScroll: true });
  }

  // Marks step n as the one that is shown, and says what had been used by then.
  show(n) {
    this.at = n;
    this.slider.value = String(n);
    const { spent } = this.run.steps[n];
    const trained = this.run.steps.slice(0, n + 1).map((s) => s.training).filter(Boolean);
    const latest = trained.at(-1)?.series.slice(-2).map((s) => `${s.split ? `${s.split} ` : ""}${s.name} ${number(s.y.at(-1))}`).join(", ");
    this.status.textContent = [`step ${n} of ${this.run.steps.length - 1}`, spent.seconds > 0 && duration(spent.seconds), spent.tokens > 0 && `${count(spent.tokens)} tokens`, spent.money > 0 && money(spent.money), plural(trained.length, "training run"), latest && `latest: ${latest}`].filter(Boolean).join(" · ");
    this.host.querySelectorAll(".step").forEach((card) => card.classList.toggle("current", card.dataset.step === String(n)));
  }
}

const KEYS = { j: "on", ArrowRight: "on", k: "back", ArrowLeft: "back", r: "toggle" };
addEventListener("keydown", (event) => {
  const go = KEYS[event.key];
  // Fields keep their keys, and whatever scrolls sideways its arrows.
  if (!go || !replay?.host.isConnected || $("page").hidden || !shownPage || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, select, textarea") || (event.key.startsWith("Arrow") && event.target.closest("pre, .scroll"))) return;
  event.preventDefault();
  replay.go(go);
});
