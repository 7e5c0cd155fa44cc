// Blocks of a page that many states share, such as the footer, are judged once.
import type { Page } from "@playwright/test";

/**
 * Empties the blocks of a page that were judged before and returns the others. A block is the same if its HTML and the
 * classes of its ancestors are. A block with a heading of the first level, a field or the focus is never emptied: its HTML
 * does not hold all of its state.
 * @param judged what earlier calls returned
 */
export async function emptyJudged(page: Page, judged: ReadonlySet<string>): Promise<string[]> {
  const blocks = await page.evaluateHandle(() => {
    const stays = "h1, input, select, textarea, dialog[open], :popover-open, :focus";
    return [...document.querySelectorAll("header, footer, main section, main aside")].filter(
      (block) => !block.matches(stays) && !block.querySelector(stays),
    );
  });
  const found = await blocks.evaluate((blocks) => {
    const name = ({ localName, className }: Element) => `${localName}.${className}`;
    return blocks.map((block) => {
      const place: string[] = [];
      for (let above = block.parentElement; above; above = above.parentElement) place.push(name(above));
      return `${place.join(" ")} ${block.outerHTML}`;
    });
  });
  const known = found.map((block) => judged.has(block));
  // The box stays in the layout, so that its neighbours stay where they are.
  await blocks.evaluate((blocks, known) => {
    for (const block of blocks.filter((_, i) => known[i])) block.replaceChildren();
  }, known);
  await blocks.dispose();
  return found.filter((_, i) => !known[i]);
}
