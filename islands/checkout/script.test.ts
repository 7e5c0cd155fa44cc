import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { loadScript } from "./script.ts";

const elements = () => [...document.querySelectorAll("script")];

/** Returns a promise's state as a word. */
function watch(promise: Promise<void>): () => string {
  let became = "waiting";
  promise.then(
    () => (became = "loaded"),
    (reason: Error) => (became = reason.message),
  );
  return () => became;
}

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
  document.head.replaceChildren();
});

describe("a provider's script", () => {
  it("is loaded once, however often it is requested", async () => {
    const address = "https://example.com/once.js";
    const [first, second] = [watch(loadScript(address)), watch(loadScript(address))];
    expect(elements().map((script) => [script.src, script.textContent])).toEqual([[address, ""]]);
    expect([first(), second()]).toEqual(["waiting", "waiting"]);
    elements()[0]?.dispatchEvent(new Event("load"));
    await vi.advanceTimersByTimeAsync(60_000);
    const third = watch(loadScript(address));
    await vi.advanceTimersByTimeAsync(0);
    expect([first(), second(), third()]).toEqual(["loaded", "loaded", "loaded"]);
    expect(elements()).toHaveLength(1);
  });

  it("that fails is rejected, and loaded again at the next call", async () => {
    const address = "https://example.com/broken.js";
    const first = watch(loadScript(address));
    elements()[0]?.dispatchEvent(new Event("error"));
    await vi.advanceTimersByTimeAsync(0);
    expect(first()).toBe(`script ${address}: does not load`);
    expect(elements()).toEqual([]);
    const second = watch(loadScript(address));
    elements()[0]?.dispatchEvent(new Event("load"));
    await vi.advanceTimersByTimeAsync(0);
    expect([first(), second()]).toEqual([`script ${address}: does not load`, "loaded"]);
  });

  it("is rejected if it does not load within 20 seconds", async () => {
    const address = "https://example.com/slow.js";
    const loaded = watch(loadScript(address));
    await vi.advanceTimersByTimeAsync(19_999);
    expect(loaded()).toBe("waiting");
    await vi.advanceTimersByTimeAsync(1);
    expect(loaded()).toBe(`script ${address}: does not come`);
    expect(elements()).toEqual([]);
  });
});
