import { afterEach, expect, test, vi } from "vitest";
import { find } from "./testing";
import { beginForm, hideWith, keepOpen } from "./view";

afterEach(() => {
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

test("a fold that was used stays open", () => {
  document.body.innerHTML =
    '<details class="fold"><summary tabindex="0">Write to us</summary><input></details><details><input id="b"></details>';
  keepOpen(document);
  const opened = (selector: string): boolean[] => {
    find(selector).dispatchEvent(new Event("focusin", { bubbles: true }));
    return [...document.querySelectorAll("details")].map(({ open }) => open);
  };
  expect(opened("summary")).toEqual([false, false]); // a press overrides the width
  expect(opened("#b")).toEqual([false, false]);
  expect(opened(".fold input")).toEqual([true, false]);
});

test("Apply Now focuses the first open field at each press", () => {
  document.body.innerHTML = `<a href="#enrol">Apply Now</a><a href="#faq">FAQ</a>
    <div id="enrol"><input type="hidden"><input id="trap" tabindex="-1"><input id="folded"><input id="name"><input id="mail"></div>`;
  for (const field of document.querySelectorAll("input"))
    vi.spyOn(field, "getClientRects").mockReturnValue(
      (field.id === "folded" || field.type === "hidden" ? [] : [{}]) as never,
    );
  const scroll = vi.fn();
  find("#enrol").scrollIntoView = scroll;
  beginForm(find("#enrol"));
  expect(document.activeElement).toBe(document.body); // nothing was pressed
  find('[href="#faq"]').click();
  expect(document.activeElement).toBe(document.body);
  for (const scrolled of [0, 1]) {
    find('[href="#enrol"]').click();
    expect(location.hash).toBe("#enrol");
    expect(document.activeElement?.id).toBe("name");
    expect(scroll).toHaveBeenCalledTimes(scrolled);
    find("#name").blur();
  }
  beginForm(find("#enrol")); // as after a link from another page
  expect(document.activeElement?.id).toBe("name");
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
    [[false, true], true], // only the last entry counts
    [[true, false], false],
  ] as const) {
    sights[0]?.(seen.map((isIntersecting) => ({ isIntersecting })));
    expect(bar.inert).toBe(inert);
  }
});
