import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Checkout } from "./Checkout.tsx";
import { cashfree } from "./cashfree.tsx";
import type { CashfreePayload } from "./payload.ts";

const payload: CashfreePayload = {
  gateway: "cashfree",
  txn: "t1",
  amount: "₹999",
  return: "/checkout/t1/return",
  other: "/pay",
  provider: { script: "https://sdk.example/cashfree.js", sessionId: "session_1", mode: "production" },
};

const loading = "Opening the payment window…";
const failed = "The payment window failed to load. Are you online?Try againAnother method";
const closed =
  "Did you approve it?If you have approved the payment in your app, do not pay again.Yes, or not sure: check itNo, pay ₹999Another method";

let root: Root | undefined;
let asked: unknown[]; // arguments of calls to the provider
let opened: string; // navigation type of the page

/** Renders the checkout and loads a fake of the provider's script. */
async function show(answer?: () => Promise<{ error?: unknown } | undefined>): Promise<void> {
  if (answer)
    vi.stubGlobal("Cashfree", (options: unknown) => ({
      checkout: (order: unknown) => {
        asked.push(options, order);
        return answer();
      },
    }));
  const place = document.body.appendChild(document.createElement("div"));
  root = createRoot(place);
  await act(async () => root?.render(<Checkout payload={payload} provider={cashfree} />));
  await act(async () => void document.querySelector("script")?.dispatchEvent(new Event("load")));
  await pass(0); // until the widget is rendered
}

const text = (): string => document.body.textContent ?? "";
const pass = (milliseconds: number): Promise<void> =>
  act(async () => {
    await vi.advanceTimersByTimeAsync(milliseconds);
  });
const leaves = () => new Promise<undefined>(() => {}); // the browser is leaving

beforeEach(() => {
  vi.stubGlobal("fetch", async () => ({ ok: true })); // the reloaded checkout: the attempt is still open
  asked = [];
  opened = "navigate";
  payload.provider.script = `https://sdk.example/${Math.random()}.js`; // a page loads each script once, and all tests share one page
  vi.useFakeTimers();
  vi.stubGlobal("performance", { now: () => Date.now(), getEntriesByType: () => [{ type: opened }] });
});

afterEach(async () => {
  await act(async () => root?.unmount());
  root = undefined;
  document.body.replaceChildren();
  document.head.replaceChildren();
  sessionStorage.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("the session checkout", () => {
  it("opens in the same window after two seconds, once", async () => {
    await show(leaves);
    expect(document.querySelector("script")?.src).toBe(payload.provider.script);
    await pass(1999);
    expect(asked).toEqual([]);
    await pass(1);
    await pass(60_000);
    expect(asked).toEqual([{ mode: "production" }, { paymentSessionId: "session_1", redirectTarget: "_self" }]);
    expect(text()).toBe(`${loading}Another method`);
  });

  it.each([
    ["back_forward", closed, 0],
    ["reload", closed, 0],
    ["navigate", `${loading}Another method`, 2], // from the result page of a failed attempt
  ])("opens again unasked only for somebody who has asked for the page: %s", async (type, shown, times) => {
    await show(leaves);
    await pass(2000);
    await act(async () => root?.unmount());
    asked = [];
    document.body.replaceChildren();
    opened = type;
    await show(leaves);
    await pass(60_000);
    expect(asked).toHaveLength(times);
    expect(text()).toBe(shown);
    if (times > 0) return;
    await act(async () => document.querySelector("button")?.click());
    await pass(2000);
    expect(asked).toHaveLength(2);
    expect(text()).toBe(`${loading}Another method`);
  });

  it("starts again if the page is reloaded before it has opened", async () => {
    await show(leaves);
    await pass(1000);
    await act(async () => root?.unmount());
    document.body.replaceChildren();
    opened = "reload";
    await pass(60_000);
    expect(asked).toEqual([]);
    await show(leaves);
    await pass(2000);
    expect(asked).toHaveLength(2);
  });

  it.each([
    ["says that the order can not be paid", async () => ({ error: { message: "Cashfree: session expired" } })],
    ["breaks", () => Promise.reject(new Error("Cashfree is broken"))],
    ["is not what it was", undefined],
  ])("that %s has failed to load, and says no more", async (_, answer) => {
    await show(answer);
    await pass(2000);
    expect(text()).toBe(failed);
    expect(sessionStorage).toHaveLength(0); // the next attempt opens Cashfree's page
  });

  it("reports a blocked script as a failure to load", async () => {
    const place = document.body.appendChild(document.createElement("div"));
    root = createRoot(place);
    await act(async () => root?.render(<Checkout payload={payload} provider={cashfree} />));
    expect(text()).toBe(loading);
    await act(async () => void document.querySelector("script")?.dispatchEvent(new Event("error")));
    await pass(60_000);
    expect(text()).toBe(failed);
    expect(asked).toEqual([]);
  });
});
