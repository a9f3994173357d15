// Event handlers, and the one state that all parts of the page show.

const model = readModel(data.model, data.classes.length);
const features = data.model.features;
const state = { values: features.map(() => null), chosen: { first: null, second: null } };

const form = makeForm(byId("fields"), (j, value) => {
  state.values[j] = value;
  if (byId("row")) byId("row").value = "";
  update();
});
const result = makeResult();
const tree = makeTree(choose);
let effects = null;
let latest = null;
let remembering = 0;
let asking = 0;

function compute() {
  const { values } = state;
  const codes = features.map((feature, j) => codeOf(feature, values[j]));
  const added = contributions(model, codes);
  const shares = probabilities(score(model, added));
  const pair = weighed(shares, state.chosen);
  const textOf = (j) => form.text(j, values[j]);
  const answered = data.fields.map((field) => field.feature).filter((j) => values[j] !== null);
  return {
    codes,
    added,
    shares,
    pair,
    band: bandFor(codes, shares, added.completions, pair[0]),
    range: rangeFor(codes, added.completions, pair[0]),
    lines: reasonLines(codes, added, model.start, pair, textOf),
    known: answered.length,
    asked: data.fields.length,
    answers: answered.map((j) => [features[j].name, textOf(j)]),
    warnings: form.remarks().map(({ name, text }) => say("warned", { name, text })),
    rank: null,
    next: null,
  };
}

// Computations that can wait until the result is on the screen: how unusual the answers are, what to ask next, and the
// person's position in the effects.
function addMore(found) {
  const share = found.codes.filter((code) => code >= 0).length / found.codes.length;
  found.unusual = data.unusual ? unusualness(model, found.codes) : 0;
  // A few answers say little about how unusual a person is.
  found.rank = data.unusual && share >= data.unusual.shares[0] ? unusualRank(data.unusual, found.unusual, share) : null;
  found.next = nextQuestion(found);
  result.showMore(found);
  effects.mark({ codes: found.codes, values: state.values });
}

// The question whose answer would change the result most: {feature, change}.
function nextQuestion({ codes, added }) {
  const values = questionValues(model, codes, added.completions);
  byId("next").dataset.values = JSON.stringify(Array.from(values));
  const open = data.fields.map((field) => field.feature).filter((j) => codes[j] < 0);
  const feature = open.reduce((best, j) => (best < 0 || values[j] > values[best] ? j : best), -1);
  return feature >= 0 && values[feature] > 0 ? { feature, change: values[feature] } : null;
}

// The interval of the result with other training rows; null if the model has none, or nothing is known.
function bandFor(codes, shares, completions, y) {
  if (codes.every((code) => code < 0) || !(shares[y] > 0 && shares[y] < 1)) return null;
  const spread = spreadOf(model, codes, completions, y);
  return spread === null ? null : bandOfRisk(shares[y], spread);
}

// The range of the result once all questions are answered; null if they are, or nothing is known.
function rangeFor(codes, completions, y) {
  return completions && codes.some((code) => code >= 0) ? rangeOfCompletions(completions, y, model.nClasses) : null;
}

function update() {
  latest = compute();
  const { codes, added, pair } = latest;
  form.mark(added.map((part, j) => (codes[j] < 0 ? 0 : oddsOf(part, pair))));
  result.show(latest);
  showPrinted(latest.answers);
  clearTimeout(asking);
  asking = setTimeout(() => addMore(latest));
  clearTimeout(remembering);
  remembering = setTimeout(remember, 200);
}

// The complete state, including the part that is computed later.
function complete() {
  clearTimeout(asking);
  addMore(latest);
  return latest;
}

// Set all answers at once; those that are not asked or not possible are left out.
function setValues(values) {
  let refused = 0;
  state.values = values.map((value, j) => {
    const isFine = value === null || isAnswer(j, value);
    refused += isFine ? 0 : 1;
    return isFine ? value : null;
  });
  form.show(state.values);
  update();
  return refused;
}

function isAnswer(j, value) {
  const field = data.fields.find((one) => one.feature === j);
  if (!field) return false;
  if (value === NOT_RECORDED || features[j].kind === "choice") return true;
  if (field.options.length) return field.options.some((option) => option.value === value);
  return judge(field.limits, value) !== "impossible";
}

function choose(j) {
  tree.choose(j);
  showDetail(j, (at) => {
    choose(at);
    byId("detail").focus();
  });
}

// The address follows a moment later: browsers allow few changes a second. A page inside another one may not touch it
// at all; then there is no link to copy.
let canRemember = true;

function remember() {
  const address = addressOf(data.fingerprint, state.values);
  const isPlain = state.values.every((value) => value === null);
  if (!canRemember || location.hash === (isPlain ? "" : address)) return;
  if (isPlain && !location.hash.startsWith("#m=")) return; // a section of the page
  try {
    history.replaceState(null, "", isPlain ? location.pathname + location.search : address);
  } catch {
    canRemember = false;
    byId("link").hidden = true;
  }
}

function recall() {
  const found = readAddress(location.hash, data.fingerprint, features);
  if (!found) return;
  const refused = setValues(found.values);
  announce(found.problem || (refused ? say("leftOut", { n: countText(refused) }) : ""));
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
  const refused = setValues(
    row.values.map((value, j) => {
      if (value === -1 && features[j].kind === "choice") unseen += 1;
      if (value === null) return features[j].hasMissing && form.has(j) ? NOT_RECORDED : null;
      return features[j].kind === "choice" && value < 0 ? null : value;
    }),
  );
  const said = [
    unseen ? say("unseen", { n: countText(unseen) }) : "",
    refused ? say("leftOut", { n: countText(refused) }) : "",
  ];
  announce(said.filter(Boolean).join(" "));
}

function listen() {
  byId("fields").addEventListener("submit", (event) => event.preventDefault());
  byId("clear").addEventListener("click", () => {
    if (byId("row")) byId("row").value = "";
    setValues(features.map(() => null));
    announce(say("cleared"));
  });
  byId("copy").addEventListener("click", () => copy(resultText(complete())));
  byId("link").addEventListener("click", () => {
    remember();
    copy(location.href);
  });
  byId("print").addEventListener("click", () => window.print());
  window.addEventListener("beforeprint", complete);
  byId("row")?.addEventListener(
    "change",
    () => byId("row").value !== "" && loadRow(data.rows[Number(byId("row").value)]),
  );
  for (const button of document.querySelectorAll("button[data-choose]"))
    button.addEventListener("click", () => {
      choose(Number(button.dataset.choose));
      byId("detail").scrollIntoView({ block: "nearest" });
      byId("detail").focus();
    });
  byId("assessed-class")?.addEventListener("change", () => showEvidence(Number(byId("assessed-class").value)));
  byId("slider")?.addEventListener("input", () => showSteps(Number(byId("slider").value)));
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
  byId("effects-class")?.append(...classes());
  if (byId("effects-class")) byId("effects-class").value = String(data.event.at ?? 0);
  byId("assessed-class")?.append(...classes());
  if (byId("assessed-class")) byId("assessed-class").value = String(data.event.at ?? 0);
}

// Numbers that Python wrote, in the reader's locale.
function localise() {
  const write = { count: countText, percent: percentText, number: numberText };
  for (const place of document.querySelectorAll("data[data-style]"))
    place.textContent = write[place.dataset.style](Number(place.value));
}

localise();
fillChoices();
listen();
effects = makeEffects();
choose(0);
showEvidence(data.classes.length > 2 ? (data.event.at ?? 0) : 0);
showParts();
showClasses();
if (counted) showSteps(counted.numbers.length - 1);
update();
recall();
document.documentElement.classList.add("ready");
