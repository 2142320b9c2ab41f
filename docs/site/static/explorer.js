// The tree explorer without Python: which nodes are unfolded (widgets/unfolding.py), and a drawing of
// them. The cards and the facts come from the build; the drawing has the classes of Graphviz's.

const SIZE = { font: 10, letter: 6, bold: 6.5, line: 12, padding: 6, stone: 10, gap: 8, ply: 36 };

const escaped = (text) => String(text).replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const count = (number) => number.toLocaleString("en-US");
const keyOf = (path) => path.join(" ");

/** The nodes on show, each after its parent, as widgets/unfolding.py chooses them. */
export function unfolded(nodes, numShown, minVisits, most) {
  const heavy = (place) => nodes[place].weight >= minVisits;
  const below = (place) => nodes[place].children.filter(heavy);
  // Nodes that were not sent cannot be filtered; they count as long as nothing is.
  const total = (place) => (minVisits <= 1 ? nodes[place].num_children : below(place).length);
  const kept = [{ place: 0, parent: null, depth: 0 }];
  let numNodes = 1;
  let isFull = false;
  for (let at = 0; at < kept.length; at += 1) {
    const here = kept[at];
    const children = below(here.place);
    here.total = total(here.place);
    const wanted = Math.min(numShown.get(keyOf(nodes[here.place].path)) ?? 0, children.length);
    const room = Math.max(most - numNodes - 1, 0);
    here.numDrawn = Math.min(wanted, room);
    isFull ||= here.numDrawn < wanted;
    for (const child of children.slice(0, here.numDrawn)) kept.push({ place: child, parent: at, depth: here.depth + 1 });
    here.needsMore = here.numDrawn > 0 && here.numDrawn < here.total;
    numNodes += here.numDrawn + here.needsMore;
  }
  return { kept, isFull };
}

/** The texts of a card: heading, numbers, how many children are left out, how the game ended. */
function textsOf(node, { numDrawn, total }) {
  const more = numDrawn === 0 && total ? [`+${count(total)} more`] : [];
  return [node.heading, ...node.lines, ...more, node.outcome].filter(Boolean);
}

const widthOf = (texts) =>
  Math.max(texts[0].length * SIZE.bold + 2 * (SIZE.stone + 6), ...texts.slice(1).map((text) => text.length * SIZE.letter + 2 * SIZE.padding), 40);

/** Where the cards are: no card covers another, and a parent is above the middle of its children. */
function layOut(kept, cards) {
  const children = kept.map(() => []);
  kept.forEach(({ parent }, at) => { if (parent !== null) children[parent].push(at); });
  const widths = kept.map(() => 0);
  for (let at = kept.length - 1; at >= 0; at -= 1) {
    const parts = children[at].map((child) => widths[child]);
    if (kept[at].needsMore) parts.push(cards[at].moreWidth);
    const below = parts.reduce((sum, width) => sum + width, 0) + SIZE.gap * Math.max(parts.length - 1, 0);
    widths[at] = Math.max(cards[at].width, below);
    cards[at].below = below;
  }
  const tops = [];
  kept.forEach(({ depth }, at) => { tops[depth] = Math.max(tops[depth] ?? 0, cards[at].height); });
  tops.reduce((top, height, depth) => { tops[depth] = top; return top + height + SIZE.ply; }, 0);
  function put(at, left) {
    const card = cards[at];
    card.x = left + widths[at] / 2;
    card.y = tops[kept[at].depth];
    let next = left + (widths[at] - card.below) / 2;
    for (const child of children[at]) {
      put(child, next);
      next += widths[child] + SIZE.gap;
    }
    if (kept[at].needsMore) {
      card.moreX = next + card.moreWidth / 2;
      card.moreY = tops[kept[at].depth + 1] ?? card.y + card.height + SIZE.ply;
    }
  }
  put(0, 0);
}

/** A box with round corners; the explorer reads its outline as pairs of numbers. */
function outline(x, y, width, height, round) {
  const [left, right, bottom] = [x - width / 2, x + width / 2, y + height];
  return `M${left + round} ${y}L${right - round} ${y}C${right} ${y} ${right} ${y} ${right} ${y + round}`
    + `L${right} ${bottom - round}C${right} ${bottom} ${right} ${bottom} ${right - round} ${bottom}`
    + `L${left + round} ${bottom}C${left} ${bottom} ${left} ${bottom} ${left} ${bottom - round}`
    + `L${left} ${y + round}C${left} ${y} ${left} ${y} ${left + round} ${y}Z`;
}

function cardMarkup(at, card, node, color, { stones, inks }) {
  const { x, y, width, height, texts } = card;
  const stroke = node.principal ? inks.principal : inks.line;
  const lines = texts.map((text, line) => {
    const style = line === 0 ? ' font-weight="bold"' : text === node.outcome ? ' font-style="italic"' : "";
    return `<text x="${x}" y="${y + SIZE.padding + (line + 0.8) * SIZE.line}"${style}>${escaped(text)}</text>`;
  });
  const [stoneX, stoneY] = [x - width / 2 + 4, y + SIZE.padding + 1];
  const stone = stones[node.player].replace("<svg ", `<svg x="${stoneX}" y="${stoneY}" `).replace(/ role="[^"]*"| aria-label="[^"]*"/g, "");
  return `<g class="node n${at}"><path d="${outline(x, y, width, height, node.outcome ? 0 : 5)}" fill="${color}" stroke="${stroke}" stroke-width="${node.principal ? 2.5 : 1}"/>`
    + `<g text-anchor="middle" fill="${inks.text}">${lines.join("")}</g>`
    + `<circle cx="${stoneX + SIZE.stone / 2}" cy="${stoneY + SIZE.stone / 2}" r="${SIZE.stone / 2 + 1}" fill="#ffffff"/>${stone}</g>`;
}

function moreMarkup(at, { moreX: x, moreY: y, moreWidth: width, more }) {
  const lines = more.map((text, line) => `<text x="${x}" y="${y + SIZE.padding + (line + 0.8) * SIZE.line}">${escaped(text)}</text>`);
  const height = more.length * SIZE.line + 2 * SIZE.padding;
  return `<g class="node more${at}"><path d="${outline(x, y, width, height, 5)}" fill="none" stroke="currentColor" stroke-dasharray="5,2"/>`
    + `<g text-anchor="middle" fill="currentColor">${lines.join("")}</g></g>`;
}

/** The drawing as an SVG document. */
export function drawn(nodes, kept, colorBy, look) {
  const cards = kept.map((here) => {
    const node = nodes[here.place];
    const texts = textsOf(node, here);
    const more = here.needsMore ? [`+${count(here.total - here.numDrawn)} more`] : [];
    return { texts, more, width: widthOf(texts), height: texts.length * SIZE.line + 2 * SIZE.padding, moreWidth: (more[0]?.length ?? 0) * SIZE.letter + 2 * SIZE.padding };
  });
  layOut(kept, cards);
  const edges = kept.flatMap(({ parent, place }, at) => {
    if (parent === null) return [];
    const node = nodes[place];
    const from = cards[parent];
    return [`<g class="edge n${at}"><path d="M${from.x} ${from.y + from.height}L${cards[at].x} ${cards[at].y}" fill="none" stroke="${node.principal ? look.inks.principal : look.inks.line}" stroke-width="${(0.8 + 7.2 * node.share).toFixed(2)}"/></g>`];
  });
  const toMore = kept.flatMap(({ needsMore }, at) => needsMore
    ? [`<g class="edge"><path d="M${cards[at].x} ${cards[at].y + cards[at].height}L${cards[at].moreX} ${cards[at].moreY}" fill="none" stroke="currentColor" stroke-dasharray="5,2"/></g>`]
    : []);
  const boxes = kept.map(({ place }, at) => cardMarkup(at, cards[at], nodes[place], nodes[place].colors[colorBy], look));
  const mores = kept.flatMap(({ needsMore }, at) => (needsMore ? [moreMarkup(at, cards[at])] : []));
  const right = Math.max(...cards.map(({ x, width, moreX = 0, moreWidth }) => Math.max(x + width / 2, moreX + moreWidth / 2)));
  const bottom = Math.max(...cards.map(({ y, height, moreY = 0 }) => Math.max(y + height, moreY + 40)));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${right}" height="${bottom}" viewBox="-4 -4 ${right + 8} ${bottom + 8}">`
    + `<g class="graph" font-family="Helvetica,Arial,sans-serif" font-size="${SIZE.font}">${[...edges, ...toMore, ...boxes, ...mores].join("")}</g></svg>`;
}

/** The same in the DOT language. */
function dotOf(nodes, kept) {
  const quoted = (texts) => `"${texts.join("\\n").replaceAll('"', '\\"')}"`;
  const boxes = kept.map((here, at) => `n${at} [label=${quoted(textsOf(nodes[here.place], here))}]`);
  const edges = kept.flatMap(({ parent }, at) => (parent === null ? [] : [`n${parent} -> n${at}`]));
  return ["digraph search_tree {", "node [shape=box]", ...boxes, ...edges, "}"].join("\n");
}

export function explorerAnswers({ model, needsPython }, look) {
  const { nodes, top, most, size, legends, principal } = look;
  const places = new Map(nodes.map(({ path }, place) => [keyOf(path), place]));
  for (const node of nodes) node.children = [];
  nodes.forEach(({ parent }, place) => { if (parent !== null) nodes[parent].children.push(place); });
  const numShown = new Map([["", top]]);
  let minVisits = model.get("min_visits");
  let colorBy = model.get("color_by");

  function caption({ kept, isFull }) {
    const words = [`${count(kept.length)} of the tree's ${count(size)} nodes`];
    if (minVisits > 1) words.push(`those with fewer than ${count(minVisits)} visits left out`);
    if (isFull) words.push(`no drawing has more than ${most}: fold some to see others`);
    return words.join("; ");
  }

  function show() {
    const shown = unfolded(nodes, numShown, minVisits, most);
    model.update({
      min_visits: minVisits,
      color_by: colorBy,
      winning_lines: look.winning_lines,
      caption: caption(shown),
      legend: legends[colorBy],
      source: dotOf(nodes, shown.kept),
      nodes: shown.kept.map(({ place, parent, depth, total, numDrawn }) => {
        const { children, weight, colors, lines, heading, ...facts } = nodes[place];
        return { ...facts, parent, depth, num_children: total, num_hidden: total - numDrawn, is_unfolded: numDrawn > 0 };
      }),
      picture: drawn(nodes, shown.kept, colorBy, look),
    });
  }

  /** A node whose children were not sent cannot show them. */
  function lacks(path, wanted) {
    const { children, num_children: total } = nodes[places.get(keyOf(path))];
    if (children.length >= Math.min(wanted, total)) return false;
    needsPython("The rest of this large tree");
    return children.length === 0;
  }

  function toggle(path) {
    const key = keyOf(path);
    if (!numShown.has(key)) {
      if (!lacks(path, top)) numShown.set(key, top);
      return;
    }
    const inside = path.length ? `${key} ` : "";
    for (const other of [...numShown.keys()]) if (other === key || other.startsWith(inside)) numShown.delete(other);
  }

  model.answer = (message) => {
    if (message.toggle) toggle(message.toggle);
    else if (message.more) {
      const wanted = numShown.get(keyOf(message.more)) + top;
      lacks(message.more, wanted);
      numShown.set(keyOf(message.more), wanted);
    } else if (message.fold) {
      numShown.clear();
      numShown.set("", top);
    } else if (message.follow) {
      for (let length = 0; length <= principal.length; length += 1) {
        const key = keyOf(principal.slice(0, length));
        if (places.has(key) && !numShown.has(key)) numShown.set(key, top);
      }
    } else if (message.min_visits !== undefined) minVisits = Math.max(message.min_visits, 0);
    else if (message.color_by) colorBy = message.color_by;
    else return;
    show();
  };
  show(); // from the start in the layout of this page
}
