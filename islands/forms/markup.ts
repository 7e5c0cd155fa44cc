// For tests: compares React's HTML with templ's.

/** Normalises HTML as the island's root has it. */
export function parse(html: string): HTMLElement {
  const root = document.createElement("div");
  root.className = "island-root";
  root.innerHTML = html;
  return root;
}

/** Returns every node in order, elements with sorted attributes. */
export function canonical(node: Node): string[] {
  if (!(node instanceof Element)) return [`${node.nodeName} ${JSON.stringify(node.nodeValue)}`];
  const attributes = Array.from(node.attributes, ({ name, value }) => `${name}=${JSON.stringify(value)}`).sort();
  return [`<${node.localName} ${attributes.join(" ")}>`, ...Array.from(node.childNodes).flatMap(canonical), "</>"];
}
