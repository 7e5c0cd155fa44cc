// Measures a rendered page and describes each fault in words.
import type { Page } from "@playwright/test";

/** Returns the elements that make the page scroll sideways. */
export async function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    const name = (element: Element) => `${element.tagName.toLowerCase()}.${element.className}`;
    const wide = [...document.body.querySelectorAll("*")].filter(
      (element) => element.getBoundingClientRect().right > width + 1,
    );
    return [`${document.documentElement.scrollWidth} px`, ...wide.slice(0, 5).map(name)];
  });
}

/** Returns running animations. */
export async function moving(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ playState }) => playState === "running")
      .map((animation) => {
        const target = animation.effect instanceof KeyframeEffect ? animation.effect.target : null;
        return `${target?.tagName.toLowerCase()}.${target?.className}`;
      }),
  );
}

/** Returns how much of the window's height sticky elements cover, in the middle of the page. */
export async function stuck(page: Page): Promise<number> {
  return page.evaluate(() => {
    scrollTo({ top: document.documentElement.scrollHeight / 2, behavior: "instant" });
    const sticks = (element: Element | null): boolean =>
      element !== null &&
      !element.matches(":popover-open, .toasts") && // opened by the visitor, or can be closed
      (["sticky", "fixed"].includes(getComputedStyle(element).position) || sticks(element.parentElement));
    const lines = Array.from({ length: innerHeight }, (_, y) => sticks(document.elementFromPoint(innerWidth / 2, y)));
    scrollTo({ top: 0, behavior: "instant" });
    return lines.filter(Boolean).length / lines.length;
  });
}

/** In forced colours: returns controls without a border or underline, or with a part or two of one, and icons in their background's colour. */
export async function colourless(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    if (!matchMedia("(forced-colors: active)").matches) return ["colours are not forced"];
    const seen = (element: Element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    const name = (element: Element) =>
      `${element.tagName.toLowerCase()}.${element.className} ${element.textContent?.trim().slice(0, 30)}`;
    const sides = (style: CSSStyleDeclaration) =>
      (["Top", "Right", "Bottom", "Left"] as const).filter(
        (side) => style[`border${side}Style`] !== "none" && Number.parseFloat(style[`border${side}Width`]) > 0,
      ).length;
    const hasEdge = (style: CSSStyleDeclaration) => style.appearance !== "none" || sides(style) > 0;
    const hasLine = (style: CSSStyleDeclaration) => style.textDecorationLine.includes("underline");
    const controls = [...document.querySelectorAll("button, .button, input, select, textarea")].filter((control) => {
      const style = getComputedStyle(control);
      const box = control.closest(".code"); // has the edge of its input
      const isSign = control.querySelector(".icon, svg") !== null; // checked below
      if (!seen(control) || isSign) return false;
      if (style.borderTopWidth !== "0px" && style.borderLeftWidth === "0px" && style.borderRadius !== "0px")
        return true; // arcs
      if (box)
        return (
          !hasEdge(getComputedStyle(sides(style) ? control : box)) ||
          (sides(style) > 0 && sides(getComputedStyle(box)) > 0)
        );
      return !hasEdge(style) && !hasLine(style) && !control.matches("[data-waits]"); // what waits cannot be pressed
    });
    const ground = getComputedStyle(document.body).backgroundColor;
    const signs = [...document.querySelectorAll("body *")].filter((element) =>
      ["", "::before", "::after"].some((part) => {
        const style = getComputedStyle(element, part || null);
        if (part && style.content === "none") return false;
        return style.maskImage !== "none" && style.backgroundColor === ground && seen(element);
      }),
    );
    return [...controls, ...signs].slice(0, 8).map(name);
  });
}

/** Returns the placeholders in the texts of a page, such as "{amount}". */
export async function placeholders(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { parentElement, textContent } = texts.currentNode;
      if (parentElement?.closest("script, style, noscript")) continue;
      found.push(...(textContent?.match(/\{[a-z_]+\}/g) ?? []));
    }
    return found;
  });
}

/** Returns the visible headings of level 1. */
export async function headings(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll("h1")]
      .filter((heading) => heading.checkVisibility({ visibilityProperty: true }))
      .map((heading) => heading.textContent?.trim() ?? ""),
  );
}

/** Returns elements that clip their text. Single-line inputs scroll, and may clip their text at the end. */
export async function clipped(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.body.querySelectorAll<HTMLElement>("main *, header *, footer *")]
      .filter((element) => {
        const style = getComputedStyle(element);
        const cuts = (overflow: string) => overflow === "hidden" || overflow === "clip";
        if (!element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true })) return false;
        if (style.clipPath === "inset(50%)") return false; // visually hidden
        if (element.closest(".visually-hidden, svg, video, option") || element.querySelector("[data-rotate]"))
          return false;
        if (element.matches("[data-rotate] > ul")) return false; // a part of the neighbours shows on both sides
        if (element.matches(".date .input")) return element.scrollWidth > element.clientWidth + 2; // two or four digits
        return (
          (cuts(style.overflowY) && element.scrollHeight > element.clientHeight + 2) ||
          (cuts(style.overflowX) && element.tagName !== "INPUT" && element.scrollWidth > element.clientWidth + 2)
        );
      })
      .slice(0, 5)
      .map(
        (element) =>
          `${element.tagName.toLowerCase()}.${element.className}: ${element.textContent?.trim().slice(0, 40)}`,
      ),
  );
}

/** Returns overlapping lines of text. */
export async function overlapping(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const boxes: { text: string; node: Node; box: DOMRect; over: Element | null }[] = [];
    const walker = document.createTreeWalker(document.querySelector("main") ?? document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      const text = node.textContent?.trim() ?? "";
      if (
        !text ||
        !parent?.checkVisibility({ visibilityProperty: true, opacityProperty: true, contentVisibilityAuto: true })
      )
        continue;
      const forEars = (element: Element | null): boolean =>
        element !== null && (getComputedStyle(element).clipPath === "inset(50%)" || forEars(element.parentElement));
      if (forEars(parent) || getComputedStyle(parent).rotate !== "none") continue; // a rotated text is a stamp, which may overlap
      if (
        parent.closest(
          ".visually-hidden, svg, option, script, .sticky-bar, .apply-now, .application-buttons, .pay-bar, .bulk, .drop, [data-rotate], [role=listbox]",
        )
      )
        continue;
      const over = parent.closest(":popover-open"); // a popover covers the page on purpose
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const box of range.getClientRects())
        if (box.width > 2 && box.height > 2) boxes.push({ text, node, box, over });
    }
    const found: string[] = [];
    boxes.forEach((a, i) => {
      for (const b of boxes.slice(i + 1)) {
        if (a.node === b.node || a.over !== b.over) continue;
        const x = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
        const y = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
        // Line boxes of tight headings touch; letters overlap only if lines share half their height.
        if (x > 2 && y > Math.min(a.box.height, b.box.height) / 2)
          found.push(`"${a.text.slice(0, 30)}" and "${b.text.slice(0, 30)}"`);
      }
    });
    return found.slice(0, 5);
  });
}
