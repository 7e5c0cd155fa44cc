// For tests: compares what React draws with what templ wrote.

/** HTML as the island's root holds it. */
export function parse(html: string): HTMLElement {
  const root = document.createElement("div");
  root.className = "island-root";
  root.innerHTML = html;
  return root;
}

/** Every node in order; of an element its attributes by name. */
export function canonical(node: Node): string[] {
  if (!(node instanceof Element)) return [`${node.nodeName} ${JSON.stringify(node.nodeValue)}`];
  const attributes = Array.from(node.attributes, ({ name, value }) => `${name}=${JSON.stringify(value)}`).sort();
  return [`<${node.localName} ${attributes.join(" ")}>`, ...Array.from(node.childNodes).flatMap(canonical), "</>"];
}
