import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { find, show } from "./testing";
import { dismissible, toast } from "./toast";

beforeEach(() => void vi.useFakeTimers());

afterEach(() => {
  vi.useRealTimers();
  document.body.replaceChildren();
});

describe("a toast", () => {
  test("of a success goes after 3 s", () => {
    show('<div id="toasts" role="status"></div>');
    toast("Request successfully submitted.");
    expect(find("#toasts").querySelector("[role]")).toBeNull(); // #toasts itself is the live region
    expect(find(".toast").textContent).toBe("Success! Request successfully submitted.");
    vi.advanceTimersByTime(3000);
    expect(document.querySelector(".toast")).toBeNull();
  });

  test("of a failure stays until it is dismissed", () => {
    dismissible(show('<div id="toasts"></div>'));
    toast("Something went wrong.", "failed");
    vi.advanceTimersByTime(600_000);
    expect(find(".toast").textContent).toBe("Failed! Something went wrong.");
    expect(find(".close").getAttribute("aria-label")).toBe("Close");
    find(".close .icon").click();
    expect(document.querySelector(".toast")).toBeNull();
  });

  test("of a failure is also shown inline until the next message there", () => {
    dismissible(show('<div id="toasts"></div><form><button>Save</button></form>'));
    const inlineTexts = () => [...document.querySelectorAll("form > .inline-error")].map((line) => line.textContent);
    toast("Something went wrong.", "failed", find("form"));
    find(".close").click();
    expect(inlineTexts()).toEqual(["Something went wrong."]);
    toast("It went wrong again.", "failed", find("form"));
    expect(inlineTexts()).toEqual(["It went wrong again."]);
    expect(find(".inline-error").getAttribute("role")).toBeNull(); // announced once, by the toast
    toast("Saved.", "success", find("form"));
    expect(inlineTexts()).toEqual([]);
  });
});
