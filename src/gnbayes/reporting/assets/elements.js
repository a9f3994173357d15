// Parts of the page. Text is only ever set as text, so a name can never become markup.

const byId = (id) => document.getElementById(id);
if (isTooOld()) return;
const data = await unpack(byId("data").textContent);
const strings = data.strings;

// Most classes shown side by side; if there are more, one is chosen, or the list is shortened.
const MOST_CLASSES = 6;

function make(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

function draw(tag, attributes = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function filled(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes))
    if (value !== null && value !== undefined) element.setAttribute(key, value);
  element.append(...children.flat().filter((child) => child !== null));
  return element;
}

function fill(element, ...children) {
  element.replaceChildren(...children.flat().filter((child) => child !== null));
}

// A part of a bar, from one percent of the width to another.
function stretch(kind, from, to = null) {
  const part = make("i", { class: kind });
  part.style.left = `${from}%`;
  if (to !== null) part.style.width = `${to - from}%`;
  return part;
}

// A name on its own; if it is shortened, hovering shows it in full.
const nameOf = (text) => make("bdi", text.length > 28 ? { class: "name", title: text } : { class: "name" }, text);

// A sentence with words filled in; names are isolated, so that they cannot change the direction of the text.
function say(key, values = {}) {
  return strings[key].replace(/\{(\w+)\}/g, (_, word) => `\u2068${values[word]}\u2069`);
}

function announce(text) {
  byId("announcement").textContent = text;
}
