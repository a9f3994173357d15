// Everything that listens, and the one state that all parts of the page show.

const model = readModel(data.model, data.classes.length);
const features = data.model.features;
const nAll = features.length;
const isWeighted = model.rule === "weighted";
const lastStep = Number(byId("slider").max);
// How many features the calculator uses, and the place of the slider: the same for a model whose first features are a
// model of their own.
const state = { used: nAll, step: lastStep, values: features.map(() => null), chosen: { first: null, second: null } };

const form = makeForm(byId("fields"), features, data.model.counts, (j, value) => {
  state.values[j] = value;
  if (byId("row")) byId("row").value = "";
  update();
});
const result = makeResult();
const tree = makeTree(choose);
let latest = null;
let remembering = 0;

function compute() {
  const codes = features.map((feature, j) => codeOf(feature, state.values[j]));
  const added = contributions(model, codes, state.used);
  const shares = probabilities(score(model, added));
  const pair = weighed(shares, state.chosen);
  return { codes, added, shares, pair, lines: evidenceLines(codes, added, model.logPrior, pair, state.used) };
}

function update() {
  latest = compute();
  const { codes, added, shares, pair, lines } = latest;
  form.show(state.values, state.used);
  form.mark(
    codes,
    added.map((part, j) => (codes[j] < 0 ? 0 : oddsOf(part, pair))),
    state.used,
  );
  result.show(shares, pair, lines, codes.slice(0, state.used).filter((code) => code >= 0).length, state.used);
  showPrinted(state.values, state.used);
  clearTimeout(remembering);
  remembering = setTimeout(remember, 200);
}

function setStep(at) {
  const n = countText(stepAt(at));
  const name = cut(features[stepAt(at) - 1].name);
  const isOwn = at >= data.steps.length;
  state.step = at;
  byId("slider").value = at;
  byId("slider").setAttribute("aria-valuetext", isOwn ? say("thisModel") : n);
  byId("used").textContent = isOwn ? say("thisModel") : `${n} / ${countText(nAll)}`;
  byId("adds").textContent = isOwn
    ? say("addsNothing", { n })
    : say(isWeighted && data.evaluation ? "addsCounted" : "addsFeature", { n, name });
  showCurves(at);
  if (isWeighted) return;
  state.used = stepAt(at);
  byId("count").value = String(state.used);
  tree.use(state.used);
  update();
}

function choose(j) {
  tree.choose(j);
  showDetail(j, (at) => {
    choose(at);
    byId("detail").focus();
  });
}

// The address follows a moment later: browsers allow few changes a second. A page inside another one may not touch it at
// all; then there is no link to copy.
let canRemember = true;

function remember() {
  const address = addressOf(data.fingerprint, state.used, state.values);
  const isPlain = state.used === nAll && state.values.every((value) => value === null);
  if (!canRemember || location.hash === (isPlain ? "" : address)) return;
  try {
    history.replaceState(null, "", isPlain ? location.pathname + location.search : address);
  } catch {
    canRemember = false;
    byId("link").hidden = true;
  }
}

function recall() {
  const found = readAddress(location.hash, data.fingerprint, features, nAll);
  if (!found) return;
  state.values = found.values;
  announce(found.problem);
  if (isWeighted) update();
  else setStep(data.steps.includes(found.used) ? data.steps.indexOf(found.used) : lastStep);
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    byId("text-place").hidden = true;
    announce(say("copied"));
  } catch {
    byId("text").value = text;
    byId("text-place").hidden = false;
    byId("text").select();
    announce(say("notCopied"));
  }
}

function loadRow(row) {
  let unseen = 0;
  state.values = row.values.map((value, j) => {
    if (value === -1 && features[j].kind === "choice") unseen += 1;
    if (value === null) return features[j].hasMissing ? NOT_RECORDED : null;
    return features[j].kind === "choice" && value < 0 ? null : value;
  });
  announce(unseen ? say("unseen", { n: countText(unseen) }) : "");
  update();
}

function listen() {
  byId("slider").addEventListener("input", () => setStep(Number(byId("slider").value)));
  byId("count")?.addEventListener("change", () => setStep(data.steps.indexOf(Number(byId("count").value))));
  byId("clear").addEventListener("click", () => {
    state.values = features.map(() => null);
    if (byId("row")) byId("row").value = "";
    announce(say("cleared"));
    update();
  });
  byId("copy").addEventListener("click", () =>
    copy(resultText(latest.shares, latest.pair, latest.lines, state.values, state.used)),
  );
  byId("link").addEventListener("click", () => {
    remember();
    copy(location.href);
  });
  byId("print").addEventListener("click", () => window.print());
  byId("row")?.addEventListener(
    "change",
    () => byId("row").value !== "" && loadRow(data.rows[Number(byId("row").value)]),
  );
  for (const button of document.querySelectorAll("button[data-step]"))
    button.addEventListener("click", () => setStep(Number(button.dataset.step)));
  for (const button of document.querySelectorAll("button[data-choose]"))
    button.addEventListener("click", () => {
      choose(Number(button.dataset.choose));
      byId("detail").scrollIntoView({ block: "nearest" });
      byId("detail").focus();
    });
  byId("curve-class")?.addEventListener("change", () => showCurves(state.step));
  for (const key of ["first", "second"])
    byId(key)?.addEventListener("change", () => {
      state.chosen[key] = byId(key).value === "" ? null : Number(byId(key).value);
      update();
    });
  window.addEventListener("hashchange", recall);
  if (location.protocol === "about:") stayInFrame();
}

// In a frame without an address of its own, a link to a section would load the page around the frame into it.
function stayInFrame() {
  for (const link of document.querySelectorAll("a[href^='#']"))
    link.addEventListener("click", (event) => {
      event.preventDefault();
      byId(link.getAttribute("href").slice(1)).scrollIntoView();
    });
}

function fillChoices() {
  byId("count")?.append(...data.steps.map((n) => make("option", { value: n }, countText(n))));
  if (byId("row"))
    data.rows.forEach((row, at) => {
      const number = countText(row.number);
      const words =
        row.class === null
          ? say("rowName", { number })
          : say("rowWithClass", { number, name: data.classes[row.class] });
      byId("row").append(make("option", { value: at }, words));
    });
  const classes = () => data.classes.map((name, y) => make("option", { value: y }, name));
  if (byId("first")) {
    byId("first").append(make("option", { value: "" }, say("automatic")), ...classes());
    byId("second").append(make("option", { value: "" }, say("automaticOther")), ...classes());
  }
  byId("curve-class")?.append(...classes());
}

// Numbers that Python wrote, in the reader's way.
function localise() {
  const write = { count: countText, percent: percentText, number: numberText };
  for (const place of document.querySelectorAll("data[data-style]"))
    place.textContent = write[place.dataset.style](Number(place.value));
}

localise();
fillChoices();
listen();
choose(0);
setStep(lastStep);
update();
recall();
document.documentElement.classList.add("ready");
