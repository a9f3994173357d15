// The data of the page, as Python packed them (gnbayes/reporting/packing.py).

async function unpack(text) {
  const signs = atob(text);
  const packed = new Uint8Array(signs.length);
  for (let at = 0; at < signs.length; at++) packed[at] = signs.charCodeAt(at);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const planes = 4 + new DataView(bytes.buffer).getUint32(0, true);
  const read = (_, part) => (part?.packed ? numbersAt(bytes, planes, part.packed) : part);
  return JSON.parse(new TextDecoder().decode(bytes.subarray(4, planes)), read);
}

// Integers from their planes of bytes: 0, 1, 2, 3, ... are 0, -1, 1, -2, ...
function numbersAt(bytes, planes, [start, n, width]) {
  const numbers = new Array(n).fill(0);
  for (let plane = width - 1; plane >= 0; plane--)
    for (let at = 0, from = planes + start + plane * n; at < n; at++) numbers[at] = 256 * numbers[at] + bytes[from + at];
  return numbers.map((plain) => (plain % 2 ? -(plain + 1) / 2 : plain / 2));
}

// Browsers from 2023 on can unpack them; older ones show a message.
function isTooOld() {
  byId("too-old").hidden = "DecompressionStream" in window;
  return !byId("too-old").hidden;
}
