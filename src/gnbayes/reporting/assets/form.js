// The form: one field per question. `onChange(j, value)` is called with what is typed or chosen.

// Up to this many choices are buttons; more are a menu.
const MOST_BUTTONS = 4;
const NOTHING_TO_SAY = { kind: "fine", text: "" };

function makeForm(place, onChange) {
  const made = data.fields.map((field) => {
    const feature = data.model.features[field.feature];
    const isNumber = feature.kind === "number" && !field.options.length;
    return isNumber ? numberField(field, feature, onChange) : choiceField(field, feature, onChange);
  });
  const first = made.filter((_, at) => data.fields[at].isFirst);
  const more = made.filter((_, at) => !data.fields[at].isFirst);
  place.classList.toggle("split", data.fields.some((field) => field.group));
  fill(place, grouped(first), more.length ? folded(more) : null);
  const byFeature = new Map(made.map((one, at) => [data.fields[at].feature, one]));
  return {
    has: (j) => byFeature.has(j),
    // All answers at once, as from a row or an address.
    show(values) {
      byFeature.forEach((one, j) => one.show(values[j]));
      const details = byId("more");
      if (details && more.some((one) => one.isAnswered())) details.open = true;
    },
    mark: (logOdds) => byFeature.forEach((one, j) => markField(one.element, logOdds[j] || 0)),
    // What is wrong or unusual, in the order of the form.
    remarks: () =>
      made
        .map((one, at) => ({ ...one.remark(), name: data.model.features[data.fields[at].feature].name }))
        .filter(({ text }) => text),
    // Go to a question, even if it is folded away.
    focus(j) {
      const { element } = byFeature.get(j);
      const details = element.closest("details");
      if (details) details.open = true;
      element.querySelector("input, select").focus();
    },
    // The answer as the reader gave it.
    text: (j, value) => byFeature.get(j).text(value),
  };
}

// Fields under their headings.
function grouped(fields) {
  const groups = new Map();
  fields.forEach((one) => groups.set(one.field.group, [...(groups.get(one.field.group) ?? []), one.element]));
  const isSplit = groups.size > 1 || !groups.has("");
  return [...groups].map(([name, elements]) =>
    make(
      "div",
      isSplit ? { class: "group", role: "group", "aria-label": name || say("otherGroup") } : { class: "group" },
      isSplit ? make("h3", {}, nameOf(name || say("otherGroup"))) : null,
      make("div", { class: "questions" }, elements),
    ),
  );
}

function folded(fields) {
  const words = fields.length === 1 ? say("moreOne") : say("more", { n: countText(fields.length) });
  return make("details", { id: "more", class: "more" }, make("summary", {}, words), grouped(fields));
}

// How many training rows had no value, for features that have such rows.
function missingRows(feature, counts, nClasses) {
  const size = nValues(coarseOf(feature)) + 1;
  let rows = 0;
  counts.forEach((count, at) => (rows += Math.floor(at / nClasses) % size === size - 1 ? count : 0));
  return rows;
}

function notRecordedHint(feature, j) {
  const rows = missingRows(feature, data.model.counts[j], data.classes.length);
  return feature.hasMissing ? say("notRecordedHint", { rows: countText(rows) }) : "";
}

const description = (field, id) =>
  field.description ? make("p", { id, class: "description" }, nameOf(field.description)) : null;

// The controls of a number: its input, its units if there are two, and a box for what was not recorded.
function numberControls(field, feature) {
  const j = field.feature;
  const input = make("input", {
    id: `f${j}`,
    type: "text",
    inputmode: "decimal",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: say("unknown"),
    "aria-describedby": [field.description ? `d${j}` : null, `h${j}`].filter(Boolean).join(" "),
  });
  const units = make(
    "select",
    { id: `u${j}`, class: "units", "aria-label": say("unitOf", { name: feature.name }) },
    [field.unit, field.secondUnit].map((unit, at) => make("option", { value: at }, unit)),
  );
  const box = make("input", {
    id: `n${j}`,
    type: "checkbox",
    title: notRecordedHint(feature, j),
    "aria-label": say("notRecordedOf", { name: feature.name }),
  });
  return { input, units: field.secondUnit ? units : null, box: feature.hasMissing ? box : null };
}

function numberElement(field, feature, { input, units, box }, hint) {
  const isAside = field.unit && !units;
  return make(
    "div",
    { class: "field" },
    make("label", { for: input.id }, nameOf(feature.name), isAside ? [" ", make("small", {}, field.unit)] : null),
    description(field, `d${field.feature}`),
    make(
      "div",
      { class: "entry" },
      input,
      units,
      box ? make("label", { class: "aside", for: box.id }, box, say("notRecorded")) : null,
    ),
    hint,
  );
}

function numberField(field, feature, onChange) {
  const j = field.feature;
  const controls = numberControls(field, feature);
  const { input, units, box } = controls;
  const hint = make("p", { id: `h${j}`, class: "hint" });
  const isSecond = () => units?.value === "1";
  // The number that is typed, in the unit of the table, or null if it cannot be used; and the message about it.
  let current = null;
  let remarked = NOTHING_TO_SAY;
  const tell = (found) => {
    remarked = found;
    const plain = [possibleText(field, isSecond()), seenText(field, isSecond())].filter(Boolean).join("; ");
    hint.textContent = found.text || plain;
    hint.classList.toggle("problem", found.kind !== "fine");
    input.setAttribute("aria-invalid", ["error", "impossible"].includes(found.kind) ? "true" : "false");
  };
  const set = (value, written) => {
    current = value;
    input.value = written;
    tell(value === null ? NOTHING_TO_SAY : remark(field, value, written, isSecond()));
  };
  const hear = () => {
    const { value: typed, error } = readNumber(input.value);
    const value = typed === null ? null : fromUnit(field, typed, isSecond());
    const found = value === null ? NOTHING_TO_SAY : remark(field, value, input.value.trim(), isSecond());
    current = found.kind === "impossible" ? null : value;
    tell(error ? { kind: "error", text: error } : found);
    onChange(j, current);
  };
  input.addEventListener("input", () => {
    if (box) box.checked = false;
    hear();
  });
  // A valid number is converted to the other unit; a rejected one may have been meant in the other unit.
  units?.addEventListener("change", () => {
    if (current === null) return hear();
    set(current, convertedText(field, current, isSecond()));
    onChange(j, current);
  });
  box?.addEventListener("change", () => {
    set(null, "");
    onChange(j, box.checked ? NOT_RECORDED : null);
  });
  tell(remarked);
  return {
    field,
    element: numberElement(field, feature, controls, hint),
    show(value) {
      if (box) box.checked = value === NOT_RECORDED;
      if (units) units.value = "0";
      const number = value === NOT_RECORDED ? null : value;
      set(number, number === null ? "" : typedText(number));
    },
    remark: () => remarked,
    text: (value) =>
      value === NOT_RECORDED ? say("notRecorded") : withUnit(field, shortened(input.value.trim()), isSecond()),
    isAnswered: () => current !== null || Boolean(box?.checked),
  };
}

// A number in a sentence, without meaningless digits.
const shortened = (text) => (text.length > 9 ? typedText(Number(readNumber(text).value.toPrecision(6))) : text);

// Choices of a field: categories by their codes, coded numbers by their numbers.
function choicesOf(field, feature) {
  const choices = field.options.length
    ? field.options
    : feature.values.map((_, code) => ({ value: code, name: valueText(feature, code) }));
  return [
    ...choices,
    ...(feature.hasMissing ? [{ value: NOT_RECORDED, name: say("notRecorded") }] : []),
    { value: null, name: say("unknown") },
  ];
}

function choiceField(field, feature, onChange) {
  const j = field.feature;
  const choices = choicesOf(field, feature);
  const areButtons = choices.length <= MOST_BUTTONS + 1;
  const control = areButtons ? radioButtons(field, feature, choices) : menu(field, feature, choices);
  control.listen((at) => onChange(j, choices[at].value));
  return {
    field,
    element: control.element,
    show(value) {
      control.choose(choices.findIndex((choice) => choice.value === value));
    },
    remark: () => NOTHING_TO_SAY,
    text: (value) => choices.find((choice) => choice.value === value).name,
    isAnswered: () => control.chosen() < choices.length - 1,
  };
}

function radioButtons(field, feature, choices) {
  const j = field.feature;
  const buttons = choices.map((_, at) => make("input", { type: "radio", id: `f${j}-${at}`, name: `f${j}`, value: at }));
  buttons[choices.length - 1].checked = true;
  return {
    element: make(
      "fieldset",
      { class: "field", id: `f${j}`, "aria-describedby": field.description ? `d${j}` : null },
      make("legend", {}, nameOf(feature.name)),
      description(field, `d${j}`),
      make(
        "div",
        { class: "choices" },
        buttons.map((button, at) => make("label", { for: button.id }, button, make("span", {}, choices[at].name))),
      ),
    ),
    listen: (hear) => buttons.forEach((button, at) => button.addEventListener("change", () => hear(at))),
    choose: (at) => (buttons[at].checked = true),
    chosen: () => buttons.findIndex((button) => button.checked),
  };
}

function menu(field, feature, choices) {
  const j = field.feature;
  const last = choices.length - 1;
  // "Unknown" comes first in a menu, so that it is the default.
  const order = [last, ...choices.keys()].slice(0, choices.length);
  const select = make(
    "select",
    { id: `f${j}`, "aria-describedby": field.description ? `d${j}` : null },
    order.map((at) => make("option", { value: at }, choices[at].name)),
  );
  return {
    element: make(
      "div",
      { class: "field" },
      make("label", { for: select.id }, nameOf(feature.name)),
      description(field, `d${j}`),
      make("div", { class: "entry" }, select),
    ),
    listen: (hear) => select.addEventListener("change", () => hear(Number(select.value))),
    choose: (at) => (select.value = String(at)),
    chosen: () => Number(select.value),
  };
}

// The direction of the answer's effect, as the color of the field's edge; the bars also say it in words.
function markField(element, logOdds) {
  element.classList.toggle("for", logOdds > 0.05);
  element.classList.toggle("against", logOdds < -0.05);
}
