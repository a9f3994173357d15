// The form: one field a feature. `onChange(j, value)` hears what is typed or chosen.

function makeForm(place, features, counts, onChange) {
  const fields = features.map((feature, j) =>
    feature.kind === "number"
      ? numberField(feature, j, counts[j], onChange)
      : choiceField(feature, j, counts[j], onChange),
  );
  fill(
    place,
    fields.map((field) => field.element),
  );
  return {
    show(values, used) {
      fields.forEach((field, j) => {
        field.element.hidden = j >= used;
        field.show(values[j]);
      });
    },
    mark(codes, logOdds, used) {
      fields.forEach((field, j) => j < used && field.mark(codes[j], logOdds[j] || 0));
    },
  };
}

// How many training rows had no value, for features that have such rows.
function missingRows(feature, counts, nClasses) {
  const size = nValues(coarseOf(feature)) + 1;
  let rows = 0;
  counts.forEach((count, at) => (rows += Math.floor(at / nClasses) % size === size - 1 ? count : 0));
  return rows;
}

function notRecordedHint(feature, counts) {
  return feature.hasMissing
    ? say("notRecordedHint", { rows: countText(missingRows(feature, counts, data.classes.length)) })
    : "";
}

function numberField(feature, j, counts, onChange) {
  const input = make("input", {
    id: `f${j}`,
    type: "text",
    inputmode: "decimal",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: say("unknown"),
    "aria-describedby": `h${j}`,
  });
  const box = feature.hasMissing
    ? make("input", {
        id: `n${j}`,
        type: "checkbox",
        title: notRecordedHint(feature, counts),
        "aria-label": say("notRecordedOf", { name: feature.name }),
      })
    : null;
  const [low, high] = feature.typical.map(numberText);
  const plainHint = feature.edges.length ? say("typical", { low, high }) : "";
  const hint = make("p", { id: `h${j}`, class: "hint" }, plainHint);
  const ruler = make(
    "div",
    { class: "ruler", "aria-hidden": "true" },
    feature.edges.length ? [...feature.edges, 0].map(() => make("i")) : [],
  );
  const tell = (text, isProblem) => {
    hint.textContent = text || plainHint;
    hint.classList.toggle("problem", Boolean(isProblem));
    input.setAttribute("aria-invalid", isProblem === "error" ? "true" : "false");
  };
  input.addEventListener("input", () => {
    const { value, error } = readNumber(input.value);
    if (box) box.checked = false;
    tell(error || wordsOf(feature, value), error ? "error" : isFar(feature, value));
    onChange(j, value);
  });
  if (box)
    box.addEventListener("change", () => {
      input.value = "";
      tell("");
      onChange(j, box.checked ? NOT_RECORDED : null);
    });
  const element = make(
    "div",
    { class: "field" },
    make("label", { for: input.id }, nameOf(feature.name)),
    make(
      "div",
      { class: "entry" },
      input,
      box ? make("label", { class: "aside", for: box.id }, box, say("notRecorded")) : null,
    ),
    ruler,
    hint,
  );
  return {
    element,
    show(value) {
      if (box) box.checked = value === NOT_RECORDED;
      const { value: typed, error } = readNumber(input.value);
      const number = value === NOT_RECORDED ? null : value;
      if (typed !== number || (error && document.activeElement !== input)) {
        input.value = number === null ? "" : typedText(number);
        tell(wordsOf(feature, number), isFar(feature, number));
      }
    },
    mark(code, logOdds) {
      markField(element, logOdds);
      [...ruler.children].forEach((part, at) => part.classList.toggle("here", at === code));
    },
  };
}

const wordsOf = (feature, value) =>
  value === null || !feature.edges.length
    ? ""
    : say("inInterval", { interval: valueText(feature, codeOf(feature, value)) }) +
      (isFar(feature, value) ? "; " + say("isFar") : "");

// Farther outside the typical values than these are apart.
function isFar(feature, value) {
  const [low, high] = feature.typical;
  return (
    value !== null && feature.edges.length > 0 && (value < low - 2 * (high - low) || value > high + 2 * (high - low))
  );
}

function choiceField(feature, j, counts, onChange) {
  const options = [make("option", { value: "" }, say("unknown"))];
  feature.values.forEach((_, code) => options.push(make("option", { value: code }, valueText(feature, code))));
  if (feature.hasMissing) options.push(make("option", { value: NOT_RECORDED }, say("notRecorded")));
  const select = make("select", { id: `f${j}` }, options);
  select.addEventListener("change", () =>
    onChange(j, select.value === "" ? null : select.value === NOT_RECORDED ? NOT_RECORDED : Number(select.value)),
  );
  const element = make(
    "div",
    { class: "field" },
    make("label", { for: select.id }, nameOf(feature.name)),
    make("div", { class: "entry" }, select),
    make("p", { class: "hint" }, notRecordedHint(feature, counts)),
  );
  return {
    element,
    show(value) {
      select.value = value === null ? "" : String(value);
    },
    mark(_, logOdds) {
      markField(element, logOdds);
    },
  };
}

// Which way the value pulls, as the colour of the field's edge; the table says it in words.
function markField(element, logOdds) {
  element.classList.toggle("for", logOdds > 0.05);
  element.classList.toggle("against", logOdds < -0.05);
}
