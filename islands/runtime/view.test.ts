import { afterEach, expect, test, vi } from "vitest";
import { hideWith, keepOpen } from "./view";

afterEach(() => {
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

const find = (selector: string): HTMLElement => {
  const found = document.querySelector<HTMLElement>(selector);
  if (!found) throw new Error(`nothing is ${selector}`);
  return found;
};

test("a fold that somebody has been in stays open", () => {
  document.body.innerHTML =
    '<details class="fold"><summary tabindex="0">Write to us</summary><input></details><details><input id="b"></details>';
  keepOpen(document);
  const opened = (selector: string): boolean[] => {
    find(selector).dispatchEvent(new Event("focusin", { bubbles: true }));
    return [...document.querySelectorAll("details")].map(({ open }) => open);
  };
  expect(opened("summary")).toEqual([false, false]); // a press decides
  expect(opened("#b")).toEqual([false, false]);
  expect(opened(".fold input")).toEqual([true, false]);
});

test("the bar of small screens hides until the ticket has been scrolled past", () => {
  document.body.innerHTML = '<div id="enrol"></div><div class="bar" data-hide-with="#enrol"></div>';
  const sights: ((entries: Partial<IntersectionObserverEntry>[]) => void)[] = [];
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      constructor(seen: (entries: Partial<IntersectionObserverEntry>[]) => void) {
        sights.push(seen);
      }
      observe(): void {}
    },
  );
  const bar = find(".bar");
  hideWith(bar);
  for (const [seen, inert] of [
    [[true], true],
    [[false], false],
    [[false, true], true], // of several sights the last one counts
    [[true, false], false],
  ] as const) {
    sights[0]?.(seen.map((isIntersecting) => ({ isIntersecting })));
    expect(bar.inert).toBe(inert);
  }
});
