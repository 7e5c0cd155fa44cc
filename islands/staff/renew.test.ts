import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { renew } from "./renew";

const part = () => document.getElementById("job") as HTMLElement;
let answers: string[];

beforeEach(() => {
  vi.useFakeTimers();
  document.body.innerHTML = '<h1>Print</h1><div id="job" data-renew><p>1 of 3</p><button>Stop</button></div>';
  answers = [];
  vi.stubGlobal(
    "fetch",
    vi.fn(async () => {
      const next = answers.shift();
      if (next === undefined) throw new Error("offline");
      return new Response(next, { status: next === "" ? 500 : 200 });
    }),
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a part is renewed until it says that it stays", async () => {
  answers = ['<div id="job" data-renew>2 of 3</div>', '<div id="job">Ready</div>', '<div id="job">never</div>'];
  renew(part());
  await vi.advanceTimersByTimeAsync(2000);
  expect(part().textContent).toBe("2 of 3");
  await vi.advanceTimersByTimeAsync(20_000);
  expect(part().textContent).toBe("Ready");
  expect(fetch).toHaveBeenCalledTimes(2);
});

test("it stays while the server does not answer, or another page does", async () => {
  answers = ["", "<h1>Sign in</h1>"];
  renew(part());
  await vi.advanceTimersByTimeAsync(6000);
  expect(part().textContent).toBe("1 of 3Stop");
  answers = ['<div id="job">Ready</div>'];
  await vi.advanceTimersByTimeAsync(2000);
  expect(part().textContent).toBe("Ready");
});

test("it stays while a button in it has the focus", async () => {
  answers = ['<div id="job">Ready</div>', '<div id="job">Ready</div>'];
  renew(part());
  document.querySelector("button")?.focus();
  await vi.advanceTimersByTimeAsync(2000);
  expect(part().textContent).toBe("1 of 3Stop");
  document.querySelector("button")?.blur();
  await vi.advanceTimersByTimeAsync(2000);
  expect(part().textContent).toBe("Ready");
});

test("it ends at last, so that an open page does not keep the session", async () => {
  answers = Array(1000).fill('<div id="job" data-renew>1 of 3</div>');
  renew(part());
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(fetch).toHaveBeenCalledTimes(300);
});
