import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { pollResult, redirectAfterCountdown } from "./result";
import { find, show } from "./testing";

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  document.body.replaceChildren();
});

describe("a success", () => {
  const markup =
    '<div data-leave="/scholarship"><p data-counts>Your programme page opens in <span data-countdown="5">5</span> s</p><p role="status"></p><a href="/scholarship">Continue now</a><button data-stay data-counts>Stay</button></div>';
  let assign: ReturnType<typeof vi.fn>;
  beforeEach(() => {
    assign = vi.fn();
    vi.stubGlobal("location", { assign });
  });

  test("counts down and opens the next page after 5 s", () => {
    redirectAfterCountdown(show(markup));
    expect(find("[data-leave]").className).toBe("is-counting");
    expect(find("[role=status]").textContent).toBe("Your programme page opens in 5 s");
    vi.advanceTimersByTime(4000);
    expect(find("[data-countdown]").textContent).toBe("1");
    expect(find("[role=status]").textContent).toBe("Your programme page opens in 5 s"); // announced once
    expect(assign).not.toHaveBeenCalled();
    vi.advanceTimersByTime(60_000);
    expect(assign).toHaveBeenCalledExactlyOnceWith("/scholarship");
  });

  test("announces it after the page has loaded, because earlier announcements are not heard", () => {
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

  test("stays open after Back, also from the back/forward cache", () => {
    redirectAfterCountdown(show(markup));
    vi.advanceTimersByTime(5000);
    window.dispatchEvent(new Event("pagehide"));
    expect(find("[data-leave]").className).toBe("is-over");

    const visit = vi.spyOn(performance, "getEntriesByType").mockReturnValue([{ type: "back_forward" }] as never);
    redirectAfterCountdown(show(markup));
    vi.advanceTimersByTime(60_000);
    expect(visit).toHaveBeenCalledWith("navigation");
    expect(find("[data-leave]").className).toBe("is-over");
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
    find("a").dispatchEvent(new Event("click", { bubbles: true })); // the press ends
    expect(find("[data-leave]").className).toBe("is-over"); // removes line and button
  });

  test.each(["click", "pointercancel"])("keeps the place of line and button until a press ends with %s", (ended) => {
    redirectAfterCountdown(show(markup));
    find("a").dispatchEvent(new Event("pointerdown", { bubbles: true }));
    expect(find("[data-leave]").className).toBe("");
    find("a").dispatchEvent(new Event(ended, { bubbles: true }));
    expect(find("[data-leave]").className).toBe("is-over");
  });
});

test("a pressed Stay gives the focus to the link, since it disappears", () => {
  redirectAfterCountdown(
    show(
      '<div data-leave="/x"><p data-counts>Opens in <span data-countdown="5">5</span> s.</p><a href="/x">Go</a><button data-stay data-counts>Stay</button></div>',
    ),
  );
  find("[data-stay]").focus();
  expect(document.activeElement).toBe(find("a"));
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

  test("does not poll while hidden, and continues when visible", async () => {
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
    expect(find("[data-poll]").classList.contains("is-closing")).toBe(closes);
    expect(replace).toHaveBeenCalledTimes(closes ? 0 : 1);
    await vi.advanceTimersByTimeAsync(600);
    expect(replace).toHaveBeenCalledExactlyOnceWith("/success?kspay_id=t1");
  });

  test("shows the age of the last response from 5 seconds, without announcing it", async () => {
    vi.stubGlobal("fetch", async () => new Response('<div data-poll="/x">'));
    pollResult(
      show('<div data-poll="/x"><p data-asked aria-hidden="true">Last asked <span>just now</span>.</p></div>'),
    );
    await vi.advanceTimersByTimeAsync(2000);
    expect(find("[data-asked]").textContent).toBe("Last asked just now.");
    expect(find("[data-asked]").classList.contains("is-counting")).toBe(true);
    vi.stubGlobal("fetch", async () => new Response("", { status: 503 }));
    await vi.advanceTimersByTimeAsync(2999);
    expect(find("[data-asked]").textContent).toBe("Last asked just now.");
    await vi.advanceTimersByTimeAsync(1);
    expect(find("[data-asked]").textContent).toBe("Last asked 5 s ago.");
    vi.stubGlobal("fetch", async () => new Response('<div data-poll="/x">'));
    await vi.advanceTimersByTimeAsync(1000);
    expect(find("[data-asked]").textContent).toBe("Last asked just now.");
  });

  test.each([404, 503])("stays open on a response of %d", async (status) => {
    vi.stubGlobal("fetch", async () => new Response("<h1>Sorry</h1>", { status }));
    pending();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(replace).not.toHaveBeenCalled();
  });
});
