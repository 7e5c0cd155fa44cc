// What many states share, such as the footer, is judged once.
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Page } from "@playwright/test";

/** What was judged, by all workers of a project: hashes in a file, one a line. */
export class Judged {
  private readonly known: Set<string>;

  constructor(private readonly file: string) {
    this.known = new Set(existsSync(file) ? readFileSync(file, "utf8").split("\n") : []);
  }

  /** Reports for each text whether it was added. */
  has(texts: string[]): boolean[] {
    return texts.map((text) => this.known.has(hash(text)));
  }

  add(texts: string[]) {
    const hashes = texts.map(hash);
    for (const each of hashes) this.known.add(each);
    mkdirSync(dirname(this.file), { recursive: true });
    appendFileSync(this.file, hashes.map((each) => `${each}\n`).join(""));
  }
}

const hash = (text: string) => createHash("sha256").update(text).digest("base64url").slice(0, 16);

/** Returns the shapes of a page: of each element tag, classes, role, type and state, with those of its parent and grandparent. */
export function shapes(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const name = (element: Element) =>
      [
        element.localName,
        [...element.classList].sort().join("."),
        ...["role", "type", "aria-invalid", "aria-current", "hidden", "open", "disabled"].map(
          (attribute) => element.getAttribute(attribute) ?? "-",
        ),
      ].join(" ");
    const found = new Set<string>();
    for (const element of document.body.querySelectorAll(":not(svg *)")) {
      const above = element.parentElement;
      found.add([above?.parentElement, above, element].map((each) => (each ? name(each) : "")).join(" > "));
    }
    return [...found];
  });
}

const mark = "data-judged";

/** Elements that axe leaves out. */
export const marked = `[${mark}]`;

/**
 * Marks the blocks of a page that were judged before and returns the others. A block is the same if its HTML and the
 * classes of its ancestors are. A block with a heading of the first level, a field or the focus is never marked: its HTML
 * does not hold all of its state.
 */
export async function markJudged(page: Page, judged: Judged): Promise<string[]> {
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
  const known = judged.has(found);
  await blocks.evaluate(
    (blocks, [known, mark]) => {
      blocks.forEach((block, i) => {
        if (known[i]) block.setAttribute(mark, "");
      });
    },
    [known, mark] as const,
  );
  await blocks.dispose();
  return found.filter((_, i) => !known[i]);
}

/** Empties what is marked. The boxes stay in the layout, so that their neighbours stay where they are. */
export async function emptyMarked(page: Page) {
  await page.evaluate((marked) => {
    for (const block of document.querySelectorAll(marked)) block.replaceChildren();
  }, marked);
}
