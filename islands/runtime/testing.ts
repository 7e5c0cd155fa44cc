// Shared by page tests.

export const find = (selector: string): HTMLElement => {
  const found = document.querySelector<HTMLElement>(selector);
  if (!found) throw new Error(`nothing is ${selector}`);
  return found;
};

// show renders markup as the page and returns its first element.
export function show(markup: string): HTMLElement {
  document.body.innerHTML = markup;
  return find("body > *");
}
