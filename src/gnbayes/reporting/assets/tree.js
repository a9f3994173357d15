// The tree: zoom by size, pan by scrolling or dragging, move by arrow keys, choose by click, Enter or space.

function makeTree(onChoose) {
  const picture = byId("tree-picture");
  const place = byId("tree-place");
  const nodes = [...picture.querySelectorAll(".node")];
  const { width, height } = picture.viewBox.baseVal;
  const { mother } = data.model;
  let zoom = 1;
  let isDragged = false;

  const featureOf = (node) => Number(node.dataset.feature);
  const nodeOf = (feature) => nodes.find((node) => featureOf(node) === feature);

  function setZoom(wanted) {
    const middle = (place.scrollTop + place.clientHeight / 2) / zoom;
    zoom = Math.min(3, Math.max(0.15, wanted));
    picture.setAttribute("width", Math.round(width * zoom));
    picture.setAttribute("height", Math.round(height * zoom));
    place.scrollTop = middle * zoom - place.clientHeight / 2;
  }

  const fit = () => setZoom(Math.min(1.4, (place.clientWidth - 2) / width, (place.clientHeight - 2) / height));

  // Relatives by key: to the mother, to the first daughter, to the line above or below.
  function neighbour(node, key) {
    const at = nodes.indexOf(node);
    if (key === "ArrowUp") return nodes[at - 1];
    if (key === "ArrowDown") return nodes[at + 1];
    if (key === "Home") return nodes[0];
    if (key === "End") return nodes[nodes.length - 1];
    if (key === "ArrowLeft") return nodeOf(mother[featureOf(node)]);
    return key === "ArrowRight" ? nodes.find((other) => mother[featureOf(other)] === featureOf(node)) : undefined;
  }

  function focus(node) {
    nodes.forEach((other) => other.setAttribute("tabindex", other === node ? "0" : "-1"));
    node.focus({ preventScroll: true });
    node.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  nodes.forEach((node) => {
    node.addEventListener("click", () => isDragged || onChoose(featureOf(node)));
    node.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        onChoose(featureOf(node));
      } else if (event.key === "+" || event.key === "-") {
        setZoom(zoom * (event.key === "+" ? 1.25 : 0.8));
      } else {
        const next = neighbour(node, event.key);
        if (next) focus(next);
        if (next || event.key.startsWith("Arrow")) event.preventDefault();
      }
    });
  });

  byId("tree-in").addEventListener("click", () => setZoom(zoom * 1.25));
  byId("tree-out").addEventListener("click", () => setZoom(zoom * 0.8));
  byId("tree-fit").addEventListener("click", fit);
  place.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      setZoom(zoom * (event.deltaY < 0 ? 1.1 : 0.9));
    },
    { passive: false },
  );
  place.addEventListener("pointerdown", (event) => {
    isDragged = false;
    if (event.pointerType !== "mouse" || event.button !== 0) return;
    const start = [event.clientX + place.scrollLeft, event.clientY + place.scrollTop];
    const first = [event.clientX, event.clientY];
    const move = (moved) => {
      if (Math.hypot(moved.clientX - first[0], moved.clientY - first[1]) > 4) isDragged = true;
      if (isDragged) place.scrollTo(start[0] - moved.clientX, start[1] - moved.clientY);
    };
    const end = () => window.removeEventListener("pointermove", move);
    window.addEventListener("pointermove", move);
    window.addEventListener("pointerup", end, { once: true });
  });

  setZoom(Math.max(0.85, Math.min(1, (place.clientWidth - 2) / width)));
  return {
    choose(feature) {
      nodes.forEach((node) => {
        const isIt = featureOf(node) === feature;
        node.setAttribute("aria-pressed", String(isIt));
        node.setAttribute("tabindex", isIt ? "0" : "-1");
      });
    },
  };
}
