// Imitates what a browser's translator does to a page.
import type { Page } from "@playwright/test";

/** Wraps every text node of later pages in elements, including text that appears later. The words stay the same. */
export async function translates(page: Page) {
  await page.addInitScript(() => {
    const left = "font, script, style, textarea, option, svg";
    const wrap = (text: Node) => {
      if (!text.nodeValue?.trim() || !text.parentElement || text.parentElement.closest(left)) return;
      const [outer, inner] = [document.createElement("font"), document.createElement("font")];
      (text as Text).replaceWith(outer);
      outer.append(inner);
      inner.append(text);
    };
    const wrapAll = (root: Node) => {
      const texts: Node[] = [];
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      if (root.nodeType === Node.TEXT_NODE) texts.push(root);
      while (walker.nextNode()) texts.push(walker.currentNode);
      texts.forEach(wrap);
    };
    addEventListener("DOMContentLoaded", () => {
      wrapAll(document.body);
      new MutationObserver((changes) => {
        for (const { addedNodes } of changes) addedNodes.forEach(wrapAll);
      }).observe(document.body, { childList: true, subtree: true });
    });
  });
}
