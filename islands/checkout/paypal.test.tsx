import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Checkout } from "./Checkout.tsx";
import type { PayPalPayload } from "./payload.ts";
import { paypal } from "./paypal.tsx";

type Options = Parameters<NonNullable<Window["paypal"]>["Buttons"]>[0];

const payload: PayPalPayload = {
  gateway: "paypal",
  txn: "t1",
  amount: "$18.00",
  return: "/checkout/t1/return",
  other: "/pay",
  provider: { script: "", clientId: "app1", currency: "USD", providerOrderId: "5O1" },
};

const failed = "The payment window failed to load. Are you online?Try againAnother method";
const closed =
  "Did you approve it?If you have approved the payment in your app, do not pay again.Yes, or not sure: check itNo, pay $18.00Another method";

let root: Root | undefined;
let sent: { action: string; fields: Record<string, string> }[];
let options: Options[]; // of all buttons that were rendered
let ended: number; // number of buttons that were closed

/** Fakes the provider's buttons. */
const buttons = (eligible = true, render = async (place: HTMLElement) => place.append("PayPal's buttons")) => {
  const make = (given: Options) => {
    options.push(given);
    return { isEligible: () => eligible, render, close: () => Promise.reject(new Error(`closed ${++ended}`)) };
  };
  return { Buttons: make };
};

async function show(provider?: ReturnType<typeof buttons>, event = "load"): Promise<void> {
  const place = document.body.appendChild(document.createElement("div"));
  root = createRoot(place);
  await act(async () => root?.render(<Checkout payload={payload} provider={paypal} />));
  vi.stubGlobal("paypal", provider);
  await act(async () => void document.querySelector("script")?.dispatchEvent(new Event(event)));
  await pass();
}

/** Waits until pending promises have settled. */
const pass = (): Promise<void> =>
  act(async () => {
    await vi.advanceTimersByTimeAsync(0);
  });

const text = (): string => document.body.textContent ?? "";
const made = (): Options => {
  const last = options.at(-1);
  if (!last) throw new Error(`no buttons in: ${text()}`);
  return last;
};
const press = (label: string): Promise<void> =>
  act(async () => [...document.querySelectorAll("button")].find((b) => b.textContent === label)?.click());

beforeEach(() => {
  vi.stubGlobal("fetch", async () => ({ ok: true })); // the reloaded checkout: the attempt is still open
  [sent, options, ended] = [[], [], 0];
  payload.provider.script = `https://www.example/sdk/${Math.random()}/js`; // a page loads each script once, and all tests share one page
  vi.useFakeTimers();
  vi.spyOn(HTMLFormElement.prototype, "submit").mockImplementation(function (this: HTMLFormElement) {
    const fields = Object.fromEntries([...new FormData(this)].map(([name, value]) => [name, String(value)]));
    sent.push({ action: this.getAttribute("action") ?? "", fields });
  });
});

afterEach(async () => {
  await act(async () => root?.unmount());
  root = undefined;
  document.body.replaceChildren();
  document.head.replaceChildren();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe("the wallet", () => {
  it("is loaded for the account and the currency of the payment", async () => {
    await show(buttons());
    const script = new URL(document.querySelector("script")?.src ?? "");
    expect(script.origin + script.pathname).toBe(payload.provider.script);
    expect(Object.fromEntries(script.searchParams)).toEqual({
      "client-id": "app1",
      currency: "USD",
      intent: "capture",
      "disable-funding": "venmo",
    });
    expect(text()).toBe("PayPal's buttonsAnother method");
  });

  it("pays the server's order, and the server captures it", async () => {
    await show(buttons());
    expect(await made().createOrder()).toBe("5O1");
    await act(() => made().onApprove({ orderID: "5O1" }));
    expect(sent).toEqual([{ action: "/checkout/t1/return", fields: { orderID: "5O1" } }]);
    expect(document.querySelector("[role=status]")?.textContent).toBe("Processing...");
    expect(document.querySelector<HTMLElement>(".payment-buttons")?.hidden).toBe(true);
    await act(async () => made().onError(new Error("the window is gone")));
    await act(async () => made().onCancel());
    await act(() => made().onApprove({ orderID: "5O1" }));
    expect([sent.length, options.length, ended]).toEqual([1, 1, 0]);
    expect(text()).toContain("Processing...");
  });

  it("sends nothing while offline and continues once online", async () => {
    const online = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    await show(buttons());
    await act(() => made().onApprove({ orderID: "5O1" }));
    expect([sent.length, text()]).toEqual([0, expect.stringContaining("Not sent yet.")]);
    online.mockReturnValue(true);
    await act(async () => void dispatchEvent(new Event("online")));
    expect([sent.length, options.length]).toEqual([1, 1]);
  });

  it("can be opened again after it was closed", async () => {
    await show(buttons());
    await act(async () => made().onCancel());
    expect([text(), sent.length, ended]).toEqual([closed, 0, 1]);
    await press("No, pay $18.00");
    await pass();
    expect([text(), options.length]).toEqual(["PayPal's buttonsAnother method", 2]);
    await act(() => made().onApprove({ orderID: "5O1" }));
    expect(sent).toHaveLength(1);
  });

  it("that fails says so without the provider's name", async () => {
    await show(buttons());
    await act(async () => made().onError(new Error("PayPal is broken")));
    expect([text(), sent.length]).toEqual([failed, 0]);
  });

  it.each([
    ["can not be paid by in this browser", buttons(false), "load"],
    ["does not appear", buttons(true, () => Promise.reject(new Error("no room"))), "load"],
    ["has no buttons", undefined, "load"],
    ["does not come", buttons(), "error"],
  ])("whose script %s has failed to load", async (_, provider, event) => {
    await show(provider, event);
    expect([text(), sent.length]).toEqual([failed, 0]);
  });

  it("is closed when the page is unmounted", async () => {
    await show(buttons());
    await act(async () => root?.unmount());
    await act(async () => made().onCancel());
    await act(() => made().onApprove({ orderID: "5O1" }));
    expect([sent.length, ended, text()]).toEqual([0, 1, ""]);
  });
});
