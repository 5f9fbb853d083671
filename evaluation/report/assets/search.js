// The tree of a search: a row a generation, each node with its value, the chosen path in bold.
const SVG = "http://www.w3.org/2000/svg";
const COLUMN = 96, ROW = 78, RADIUS = 20;

function svg(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));
  append(element, children);
  return element;
}

// Leaves side by side, a parent above the middle of its children.
function placed(nodes) {
  const children = new Map(nodes.map((node) => [node.id, nodes.filter((other) => other.parent === node.id)]));
  const places = new Map();
  let width = 0;
  const place = (node, depth) => {
    const below = children.get(node.id);
    below.forEach((child) => place(child, depth + 1));
    const xs = below.map((child) => places.get(child.id).x);
    places.set(node.id, { x: xs.length ? (xs[0] + xs.at(-1)) / 2 : width++, depth });
  };
  place(nodes[0], 0);
  return { places, width: Math.max(width, 1), depth: Math.max(...[...places.values()].map((p) => p.depth)) + 1 };
}

function drawnTree(tree, id) {
  const { places, width, depth } = placed(tree.nodes);
  const at = (node) => ({ x: (places.get(node.id).x + 0.5) * COLUMN, y: places.get(node.id).depth * ROW + RADIUS + 8 });
  const edges = tree.nodes.filter((node) => node.parent !== null).map((node) => {
    const [from, to] = [at(tree.nodes[node.parent]), at(node)];
    return svg("line", { x1: from.x, y1: from.y, x2: to.x, y2: to.y, class: node.on_path ? "edge chosen" : "edge" });
  });
  const circles = tree.nodes.map((node) => {
    const { x, y } = at(node);
    const kind = ["node", node.buggy && "buggy", node.on_path && "chosen", node.id === tree.submitted && "submitted"].filter(Boolean).join(" ");
    const value = node.buggy ? "failed" : number(node.value);
    return svg("a", { href: node.written === null ? runAddress(id, node.ran ?? 0) : runAddress(id, node.written), "aria-label": `node ${node.id}, ${node.kind}, ${value}` },
      svg("g", { class: kind }, svg("title", {}, `${node.kind}: ${node.note || node.plan || value}`), svg("circle", { cx: x, cy: y, r: RADIUS }),
        svg("text", { x, y: y + 4, class: "id" }, node.id), svg("text", { x, y: y + RADIUS + 14, class: "value" }, value)));
  });
  const size = { width: width * COLUMN, height: depth * ROW + 8 };
  return svg("svg", { ...size, viewBox: `0 0 ${size.width} ${size.height}`, role: "group", "aria-label": `Search tree of ${plural(tree.nodes.length, "node")}` }, edges, circles);
}

function searchTree({ search: tree, result }) {
  if (!tree?.nodes.length) return null;
  const rows = tree.nodes.filter((node) => node.parent !== null).map((node) => h("details", { class: "change" },
    h("summary", {}, h("strong", {}, `Node ${node.id}`), ` ${node.kind} of node ${node.parent}: ${node.buggy ? "failed" : number(node.value)} `, h("span", { class: "note" }, [node.on_path && "on the chosen path", node.id === tree.submitted && "submitted"].filter(Boolean).join(", "))),
    node.plan && h("p", {}, node.plan), node.note && h("p", { class: "alert" }, node.note), node.diff && h("pre", { tabindex: "0" }, diffLines(node.diff, true))));
  return h("section", {}, h("h2", {}, "Search"), h("p", { class: "note" }, `Each node is a script with its validation ${tree.metric}, to ${tree.direction}. Bold: the path to what was submitted, or to the best. Red: no value.`),
    h("div", { class: "scroll search", tabindex: "0", role: "region", "aria-label": "Search tree" }, drawnTree(tree, result.run_id)), rows);
}
