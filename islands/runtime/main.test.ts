import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { watchIslands } from "./islands";
import { rotate } from "./rotate";
import { onlyOnce } from "./send";
import { clearStorage, hasDataOf, save } from "./storage";
import { find, show } from "./testing";
import { openAnswers, pauseOutOfSight, playWhenOpened, showOffline } from "./view";

let still = false;
let sights: ((entries: Partial<IntersectionObserverEntry>[]) => void)[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  still = false;
  sights = [];
  vi.stubGlobal("matchMedia", () => ({ matches: still }));
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      constructor(seen: (entries: Partial<IntersectionObserverEntry>[]) => void) {
        sights.push(seen);
      }
      observe(): void {}
      disconnect(): void {}
    },
  );
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  document.body.replaceChildren();
  document.head.replaceChildren();
  sessionStorage.clear();
});

describe("a rotation", () => {
  const strip = (): HTMLElement =>
    show(`<div data-rotate="3000"><ul><li>a</li><li>b</li><li>c</li><li>d</li></ul>
      <button class="pause"></button></div>`);
  const places = (): string => [...document.querySelectorAll("ul li")].map(placeOf).join(" ");
  const placeOf = (card: Element): string | undefined => (card as HTMLElement).dataset.place;
  const withDots = (): HTMLElement => {
    const place = strip();
    place.insertAdjacentHTML("beforeend", `<ol class="dots">${"<li><button></button></li>".repeat(4)}</ol>`);
    return place;
  };
  const current = (): number[] =>
    [...document.querySelectorAll(".dots button")].flatMap((dot, i) => (dot.hasAttribute("aria-current") ? [i] : []));

  test("rotates every 3 s and wraps around", () => {
    rotate(strip());
    vi.advanceTimersByTime(2999);
    expect(document.querySelector('[data-place="active"]')).toBeNull();
    vi.advanceTimersByTime(1);
    expect(places()).toBe("prev active next rest");
    vi.advanceTimersByTime(6000);
    expect(places()).toBe("next rest prev active");
    vi.advanceTimersByTime(3000);
    expect(places()).toBe("active next rest prev");
  });

  test("shows the card of a dot, and marks the dot", () => {
    rotate(withDots());
    document.querySelectorAll<HTMLElement>(".dots button")[3]?.click();
    expect([places(), current()]).toEqual(["next rest prev active", [3]]);
    vi.advanceTimersByTime(3000);
    expect([places(), current()]).toEqual(["active next rest prev", [0]]);
  });

  test.each([
    ["to the left: the next card", 200, 100, "prev active next rest"],
    ["to the right: the card before", 100, 200, "next rest prev active"],
    ["too short: no other", 100, 130, "   "],
  ])("is swiped %s", (_, from, to, shown) => {
    rotate(withDots());
    const touch = (type: string, list: string, clientX: number) =>
      find("ul").dispatchEvent(Object.assign(new Event(type), { [list]: [{ clientX }] }));
    touch("touchstart", "touches", from);
    touch("touchend", "changedTouches", to);
    expect(places()).toBe(shown);
  });

  test("pauses after Pause, and continues after a second press", () => {
    rotate(strip());
    find(".pause").click();
    expect(find(".pause").getAttribute("aria-pressed")).toBe("true");
    vi.advanceTimersByTime(60_000);
    expect(document.querySelector('[data-place="active"]')).toBeNull();
    find(".pause").click();
    vi.advanceTimersByTime(3000);
    expect(places()).toBe("prev active next rest");
  });

  test.each([
    ["a pointer", "mouseenter", "mouseleave"],
    ["the focus", "focusin", "focusout"],
  ])("waits while %s is in it", (_, enter, out) => {
    const place = strip();
    rotate(place);
    place.dispatchEvent(new Event(enter));
    vi.advanceTimersByTime(60_000);
    expect(document.querySelector('[data-place="active"]')).toBeNull();
    place.dispatchEvent(new Event(out));
    vi.advanceTimersByTime(3000);
    expect(places()).toBe("prev active next rest");
  });

  test("shows all cards with reduced motion, as without scripts", () => {
    still = true;
    rotate(strip());
    vi.advanceTimersByTime(60_000);
    expect(document.querySelector('[data-place="active"]')).toBeNull();
    expect(find("[data-rotate]").dataset.live).toBeUndefined();
  });

  test("changes only by its dots with reduced motion", () => {
    still = true;
    const place = withDots();
    rotate(place);
    vi.advanceTimersByTime(60_000);
    expect(document.querySelector('[data-place="active"]')).toBeNull();
    expect(place.dataset.live).toBe("still");
    document.querySelectorAll<HTMLElement>(".dots button")[1]?.click();
    expect(places()).toBe("prev active next rest");
    vi.advanceTimersByTime(60_000);
    expect(places()).toBe("prev active next rest");
  });
});

describe("the film", () => {
  test.each([
    [0.24, 1],
    [0, 1],
    [0.25, 0],
    [1, 0],
  ])("with %d of it visible is paused %d times", (share, times) => {
    const video = show("<video></video>") as HTMLVideoElement;
    video.pause = vi.fn();
    pauseOutOfSight(video);
    sights[0]?.([{ intersectionRatio: share }]);
    expect(video.pause).toHaveBeenCalledTimes(times);
  });
});

describe("an island", () => {
  const markup =
    '<div data-island="enquiry" data-src="/static/enquiry-1.js"><input id="a"><input id="b"></div><input id="out">';

  test("loads at the first touch only, once", async () => {
    show(markup);
    const start = vi.fn();
    const load = vi.fn(async () => ({ default: start }));
    watchIslands(document, load);
    find("#out").dispatchEvent(new Event("pointerdown", { bubbles: true }));
    expect(load).not.toHaveBeenCalled();
    for (const kind of ["pointerdown", "focusin", "keydown"])
      find("#a").dispatchEvent(new Event(kind, { bubbles: true }));
    await vi.runAllTimersAsync();
    expect(load.mock.calls).toEqual([["/static/enquiry-1.js"]]);
    expect(start).toHaveBeenCalledExactlyOnceWith(find("[data-island]"));
  });

  test("that has the focus already loads at once", () => {
    show(markup);
    find("#b").focus();
    const load = vi.fn(async () => ({}));
    watchIslands(document, load);
    expect(load).toHaveBeenCalledOnce();
  });

  test("with stored data loads at once, others do not", () => {
    show(markup);
    const load = vi.fn(async () => ({}));
    save("enrolment:draft:KS_Mgrow", {});
    watchIslands(document, load);
    expect(load).not.toHaveBeenCalled();
    save("enquiry:draft", {});
    watchIslands(document, load);
    expect(load).toHaveBeenCalledOnce();
    clearStorage();
    expect(hasDataOf("enquiry")).toBe(false);
  });

  test("with [data-at-once] loads at once", () => {
    show(markup.replace("<div ", "<div data-at-once "));
    const load = vi.fn(async () => ({}));
    watchIslands(document, load);
    expect(load).toHaveBeenCalledOnce();
  });

  describe("that imports others", () => {
    const imports = ["/static/enquiry-1.js", "/static/a-1.js", "/static/b-1.js"];
    const preloaded = () =>
      [...document.head.querySelectorAll("link[rel=modulepreload]")].map((link) => link.getAttribute("href"));
    const watch = () => {
      show(markup.replace("<div ", '<div data-imports="/static/a-1.js /static/b-1.js" '));
      watchIslands(document, async () => ({}));
    };
    afterEach(() => {
      Reflect.deleteProperty(navigator, "connection");
    });

    test("is preloaded with them at the first touch, once", () => {
      watch();
      expect(preloaded()).toEqual([]);
      find("#a").focus();
      expect(preloaded()).toEqual(imports);
      watchIslands(document, async () => ({}));
      expect(preloaded()).toEqual(imports);
    });

    test("is preloaded when it is near, once the browser is idle", () => {
      watch();
      sights.at(-1)?.([{ isIntersecting: false }]);
      vi.runAllTimers();
      expect(preloaded()).toEqual([]);
      sights.at(-1)?.([{ isIntersecting: true }]);
      expect(preloaded()).toEqual([]);
      vi.runAllTimers();
      expect(preloaded()).toEqual(imports);
    });

    test("waits for a touch if the visitor saves data", () => {
      Object.defineProperty(navigator, "connection", { value: { saveData: true }, configurable: true });
      const before = sights.length;
      watch();
      expect(sights).toHaveLength(before);
      find("#a").focus();
      expect(preloaded()).toEqual(imports);
    });
  });

  test("that failed to load is loaded again at the next touch", async () => {
    show(markup);
    const load = vi.fn(async () => Promise.reject(new Error("offline")));
    watchIslands(document, load);
    find("#a").dispatchEvent(new Event("keydown", { bubbles: true }));
    await vi.runAllTimersAsync();
    find("#a").dispatchEvent(new Event("keydown", { bubbles: true }));
    expect(load).toHaveBeenCalledTimes(2);
  });
});

describe("a form", () => {
  const send = (): boolean => {
    const event = new SubmitEvent("submit", { bubbles: true, cancelable: true, submitter: find("button") });
    return find("form").dispatchEvent(event);
  };

  test("is sent once, and can be sent again after 5 s", () => {
    show('<form><button>Pay</button></form><div id="toasts" class="toasts"></div>');
    onlyOnce(document);
    expect(send()).toBe(true);
    expect(find("button").getAttribute("aria-busy")).toBe("true");
    expect(find(".toasts").textContent).toBe("");
    expect(send()).toBe(false);
    expect(send()).toBe(false);
    expect(find(".toasts").textContent).toBe("Please wait, still sending."); // not repeated
    expect(find(".toast .icon-bang")).toBeTruthy();
    vi.advanceTimersByTime(5000);
    expect(find(".toasts").textContent).toBe("");
    expect(find("button").hasAttribute("aria-busy")).toBe(false);
    expect(send()).toBe(true);
  });
});

test("the notice shows while offline", () => {
  const strip = show("<p hidden></p>");
  const online = vi.spyOn(navigator, "onLine", "get").mockReturnValue(true);
  showOffline(strip);
  expect(strip.hidden).toBe(true);
  online.mockReturnValue(false);
  dispatchEvent(new Event("offline"));
  expect(strip.hidden).toBe(false);
  online.mockReturnValue(true);
  dispatchEvent(new Event("online"));
  expect(strip.hidden).toBe(true);
});

test("the film plays when its window opens, and not when it closes", () => {
  const toggle = (newState: string): Event => Object.assign(new Event("toggle"), { newState });
  const window = show('<div id="film-player"><video></video></div>');
  const play = vi.spyOn(HTMLMediaElement.prototype, "play").mockResolvedValue();
  playWhenOpened(window);
  window.dispatchEvent(toggle("closed"));
  expect(play).not.toHaveBeenCalled();
  window.dispatchEvent(toggle("open"));
  expect(play).toHaveBeenCalledOnce();
});

test("a link to an answer opens it, also after it was closed; other links open nothing", () => {
  show(`<main><a href="#job">Conditions</a><a href="#faq">FAQ</a><section id="faq">
    <details id="job"><summary>?</summary></details><details><summary>?</summary></details></section></main>`);
  const answers = [...document.querySelectorAll("details")];
  const open = (): boolean[] => answers.map((answer) => answer.open);
  openAnswers(document);
  find('[href="#faq"]').click();
  expect(open()).toEqual([false, false]);
  find('[href="#job"]').click();
  expect(open()).toEqual([true, false]);
  for (const answer of answers) answer.open = false;
  find('[href="#job"]').click();
  expect(open()).toEqual([true, false]);
});
