import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { watchIslands } from "./islands";
import { pollResult, redirectAfterCountdown } from "./result";
import { rotate } from "./rotate";
import { onlyOnce } from "./send";
import { clearStorage, hasDataOf, save } from "./storage";
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
    },
  );
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  document.body.replaceChildren();
  sessionStorage.clear();
});

function show(markup: string): HTMLElement {
  document.body.innerHTML = markup;
  return document.body.firstElementChild as HTMLElement;
}

const find = (selector: string): HTMLElement => {
  const found = document.querySelector<HTMLElement>(selector);
  if (!found) throw new Error(`nothing is ${selector}`);
  return found;
};

describe("a rotation", () => {
  const strip = (): HTMLElement =>
    show(`<div data-rotate="3000"><ul><li>a</li><li>b</li><li>c</li><li>d</li></ul>
      <button class="pause"></button></div>`);
  const places = (): string => [...document.querySelectorAll("li")].map((card) => card.dataset.place).join(" ");

  test("turns every 3 s and wraps around", () => {
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

  test("goes back and on where there are buttons for it", () => {
    const place = strip();
    place.insertAdjacentHTML("beforeend", '<button class="previous"></button><button class="next"></button>');
    rotate(place);
    find(".previous").click();
    expect(places()).toBe("next rest prev active");
    find(".next").click();
    find(".next").click();
    expect(places()).toBe("prev active next rest");
  });

  test("stands still for a minute after Pause, and goes on after Pause again", () => {
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

  test("shows all of its cards where no motion is wanted, as without a script", () => {
    still = true;
    rotate(strip());
    vi.advanceTimersByTime(60_000);
    expect(document.querySelector('[data-place="active"]')).toBeNull();
    expect(find("[data-rotate]").dataset.live).toBeUndefined();
  });

  test("is turned by hand alone where no motion is wanted and there are buttons for it", () => {
    still = true;
    const place = strip();
    place.insertAdjacentHTML("beforeend", '<button class="previous"></button><button class="next"></button>');
    rotate(place);
    vi.advanceTimersByTime(60_000);
    expect(document.querySelector('[data-place="active"]')).toBeNull();
    expect(place.dataset.live).toBe("still");
    find(".next").click();
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

  test("that somebody types in already loads at once", () => {
    show(markup);
    find("#b").focus();
    const load = vi.fn(async () => ({}));
    watchIslands(document, load);
    expect(load).toHaveBeenCalledOnce();
  });

  test("that kept something loads at once, others do not", () => {
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

  test("whose page asks for it loads at once", () => {
    show(markup.replace("<div ", "<div data-at-once "));
    const load = vi.fn(async () => ({}));
    watchIslands(document, load);
    expect(load).toHaveBeenCalledOnce();
  });

  test("that did not load is tried again at the next touch", async () => {
    show(markup);
    const load = vi.fn(async () => Promise.reject(new Error("offline")));
    watchIslands(document, load);
    find("#a").dispatchEvent(new Event("keydown", { bubbles: true }));
    await vi.runAllTimersAsync();
    find("#a").dispatchEvent(new Event("keydown", { bubbles: true }));
    expect(load).toHaveBeenCalledTimes(2);
  });
});

describe("a success", () => {
  const markup =
    '<div data-leave="/scholarship"><p data-counts>Your programme page opens in <span data-countdown="5">5</span> s</p><p role="status"></p><a href="/scholarship">Continue now</a><button data-stay data-counts>Stay on this page</button></div>';
  let assign: ReturnType<typeof vi.fn>;
  beforeEach(() => {
    assign = vi.fn();
    vi.stubGlobal("location", { assign });
  });

  test("counts down and leads on after 5 s", () => {
    redirectAfterCountdown(show(markup));
    expect(find("[data-leave]").className).toBe("counting");
    expect(find("[role=status]").textContent).toBe("Your programme page opens in 5 s");
    vi.advanceTimersByTime(4000);
    expect(find("[data-countdown]").textContent).toBe("1");
    expect(find("[role=status]").textContent).toBe("Your programme page opens in 5 s"); // said once
    expect(assign).not.toHaveBeenCalled();
    vi.advanceTimersByTime(60_000);
    expect(assign).toHaveBeenCalledExactlyOnceWith("/scholarship");
  });

  test("says so once the page is loaded: what is said before is not heard", () => {
    const ready = vi.spyOn(document, "readyState", "get").mockReturnValue("interactive");
    redirectAfterCountdown(show(markup));
    expect(find("[role=status]").textContent).toBe("");
    window.dispatchEvent(new Event("load"));
    expect(find("[role=status]").textContent).toBe("Your programme page opens in 5 s");
    redirectAfterCountdown(show(markup));
    window.dispatchEvent(new Event("keydown"));
    window.dispatchEvent(new Event("load"));
    expect(find("[role=status]").textContent).toBe("This page stays open.");
    ready.mockRestore();
  });

  test("stays for whoever comes back, also where the browser has kept the page as it was left", () => {
    redirectAfterCountdown(show(markup));
    vi.advanceTimersByTime(5000);
    window.dispatchEvent(new Event("pagehide"));
    expect(find("p[data-counts]").textContent).toBe("This page stays open.");

    const visit = vi.spyOn(performance, "getEntriesByType").mockReturnValue([{ type: "back_forward" }] as never);
    redirectAfterCountdown(show(markup));
    vi.advanceTimersByTime(60_000);
    expect(visit).toHaveBeenCalledWith("navigation");
    expect(find("[data-leave]").className).toBe("");
    expect(assign).toHaveBeenCalledTimes(1);
  });

  test.each([
    ["the button says so", () => find("[data-stay]").click()],
    ["a finger touches the page", () => find("a").dispatchEvent(new Event("pointerdown", { bubbles: true }))],
    ["a key is pressed", () => document.body.dispatchEvent(new Event("keydown", { bubbles: true }))],
    ["the focus moves", () => find("a").dispatchEvent(new Event("focusin", { bubbles: true }))],
    ["it is scrolled", () => window.dispatchEvent(new Event("scroll"))],
    ["a wheel turns", () => document.body.dispatchEvent(new Event("wheel", { bubbles: true }))],
  ])("stays on this page when %s, and says so once", (_, touch) => {
    redirectAfterCountdown(show(markup));
    touch();
    vi.advanceTimersByTime(60_000);
    expect(assign).not.toHaveBeenCalled();
    expect(find("[role=status]").textContent).toBe("This page stays open.");
    expect(find("p[data-counts]").textContent).toBe("This page stays open.");
    expect(find("[data-stay]").getAttribute("aria-disabled")).toBe("true");
    expect(document.querySelectorAll("p, a, button")).toHaveLength(4); // nothing has gone: nothing has moved
  });
});

test("a pending page asks every 3 s until it is no longer pending", async () => {
  const replace = vi.fn();
  vi.stubGlobal("location", { replace });
  const answers = ['<div data-poll="/x">', "", '<div data-poll="/x">', "<h1>Paid</h1>"];
  const fetched = vi.fn(async () => {
    const text = answers.shift() ?? "";
    if (text === "") throw new TypeError("offline");
    return new Response(text);
  });
  vi.stubGlobal("fetch", fetched);
  pollResult(show('<div data-poll="/success?kspay_id=t1"></div>'));
  await vi.advanceTimersByTimeAsync(2999);
  expect(fetched).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(9000);
  expect(fetched).toHaveBeenCalledTimes(3);
  expect(replace).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(fetched).toHaveBeenCalledTimes(4);
  expect(replace).toHaveBeenCalledExactlyOnceWith("/success?kspay_id=t1");
});

describe("a pending page", () => {
  const replace = vi.fn();
  const pending = () => pollResult(show('<div data-poll="/success?kspay_id=t1"></div>'));
  beforeEach(() => {
    replace.mockReset();
    vi.stubGlobal("location", { replace });
  });

  test("asks nothing while nobody looks, and goes on when somebody does", async () => {
    const fetched = vi.fn(async () => new Response("<h1>Paid</h1>"));
    vi.stubGlobal("fetch", fetched);
    const hidden = vi.spyOn(document, "hidden", "get").mockReturnValue(true);
    pending();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(fetched).not.toHaveBeenCalled();
    hidden.mockReturnValue(false);
    await vi.advanceTimersByTimeAsync(3000);
    expect(replace).toHaveBeenCalledOnce();
  });

  test.each([
    ["closes the line before a success", '<div data-outcome="paid">', false, true],
    ["goes at once to a failure", '<div data-outcome="failed">', false, false],
    ["goes at once where motion is not wanted", '<div data-outcome="paid">', true, false],
  ])("%s", async (_, page, still, closes) => {
    vi.stubGlobal("matchMedia", () => ({ matches: still }));
    vi.stubGlobal("fetch", async () => new Response(page));
    pending();
    await vi.advanceTimersByTimeAsync(3000);
    expect(find("[data-poll]").classList.contains("closing")).toBe(closes);
    expect(replace).toHaveBeenCalledTimes(closes ? 0 : 1);
    await vi.advanceTimersByTimeAsync(600);
    expect(replace).toHaveBeenCalledExactlyOnceWith("/success?kspay_id=t1");
  });

  test("says how long ago the bank was asked, in seconds from 5 on, unspoken", async () => {
    vi.stubGlobal("fetch", async () => new Response('<div data-poll="/x">'));
    pollResult(
      show('<div data-poll="/x"><p data-asked aria-hidden="true">Last asked <span>just now</span>.</p></div>'),
    );
    await vi.advanceTimersByTimeAsync(2000);
    expect(find("[data-asked]").textContent).toBe("Last asked just now.");
    expect(find("[data-asked]").classList.contains("counting")).toBe(true);
    vi.stubGlobal("fetch", async () => new Response("", { status: 503 }));
    await vi.advanceTimersByTimeAsync(2999);
    expect(find("[data-asked]").textContent).toBe("Last asked just now.");
    await vi.advanceTimersByTimeAsync(1);
    expect(find("[data-asked]").textContent).toBe("Last asked 5 s ago.");
    vi.stubGlobal("fetch", async () => new Response('<div data-poll="/x">'));
    await vi.advanceTimersByTimeAsync(1000);
    expect(find("[data-asked]").textContent).toBe("Last asked just now.");
  });

  test.each([404, 503])("is not left for an answer of %d", async (status) => {
    vi.stubGlobal("fetch", async () => new Response("<h1>Sorry</h1>", { status }));
    pending();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(replace).not.toHaveBeenCalled();
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
    expect(find(".toasts").textContent).toBe("Please wait, still sending."); // once
    expect(find(".toast .icon-bang")).toBeTruthy();
    vi.advanceTimersByTime(5000);
    expect(find(".toasts").textContent).toBe("");
    expect(find("button").hasAttribute("aria-busy")).toBe(false);
    expect(send()).toBe(true);
  });
});

test("the strip says when one is offline", () => {
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

test("a link to an answer opens it, again after it was closed, and other links open nothing", () => {
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
