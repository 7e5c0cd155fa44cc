import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { parse } from "../runtime/schema.ts";
import { Checkout } from "./Checkout.tsx";
import { type RazorpayPayload, razorpayPayload } from "./payload.ts";
import { razorpay } from "./razorpay.tsx";

let scripts = 0; // a page loads each script once, and all tests share one page
let payload: RazorpayPayload;
let root: Root | undefined;
let sent: { action: string; fields: Record<string, string> }[];

/** Fakes the provider's window: records its options and plays the payer. */
let window_: {
  options: Record<string, unknown>;
  opened: number;
  pay(answer: unknown): Promise<void>;
  decline(): Promise<void>;
  dismiss(): Promise<void>;
};

const answer = {
  razorpay_payment_id: "pay_1",
  razorpay_order_id: "order_1",
  razorpay_signature: "5161e0",
};
const patience = 4000; // ms; the machine may be busy
const failedToLoad = "The payment window failed to load. Are you online?";
const closed = "If you have approved the payment in your app, do not pay again.";

beforeEach(() => {
  vi.stubGlobal("fetch", async () => ({ ok: true })); // the reloaded checkout: the attempt is still open
  payload = {
    gateway: "razorpay",
    txn: "t1",
    amount: "₹1,499",
    return: "/checkout/t1/return",
    other: "/pay",
    provider: {
      script: `https://example.com/checkout-${++scripts}.js`,
      clientId: "rzp_test_1",
      amount: "149900",
      currency: "INR",
      providerOrderId: "order_1",
      config: { display: { language: "en" } },
      name: "HireSure",
      description: "Registration fee",
      prefill: { name: "Asha Rao", email: "asha@example.com", contact: "+919876543210" },
      notes: { txn: "t1" },
    },
  };
  sent = [];
  vi.spyOn(HTMLFormElement.prototype, "submit").mockImplementation(function (this: HTMLFormElement) {
    const fields = Object.fromEntries([...new FormData(this)].map(([name, value]) => [name, String(value)]));
    sent.push({ action: this.getAttribute("action") ?? "", fields });
  });
});

afterEach(async () => {
  await act(async () => root?.unmount());
  root = undefined;
  document.head.replaceChildren();
  document.body.replaceChildren();
  delete window.Razorpay;
  vi.restoreAllMocks();
});

/** Defines what the provider's script defines. */
function bringWindow(breaks = false): void {
  window.Razorpay = class {
    private readonly failed: (() => void)[] = [];

    constructor(options: Record<string, unknown>) {
      const { handler, modal } = options;
      const call = (of: unknown, ...given: unknown[]) =>
        act(async () => {
          if (typeof of === "function") of(...given);
        });
      window_ = {
        options,
        opened: 0,
        pay: (given) => call(handler, given),
        decline: () => call(() => this.failed.forEach((then) => void then())),
        dismiss: () => call(modal instanceof Object && "ondismiss" in modal ? modal.ondismiss : undefined),
      };
    }

    on(_: "payment.failed", then: () => void): void {
      this.failed.push(then);
    }

    open(): void {
      if (breaks) throw new Error("no window");
      window_.opened++;
      document.body.append(Object.assign(document.createElement("div"), { className: "razorpay-container" }));
    }
  };
}

async function show(becomes: "load" | "error", bring: () => void = bringWindow): Promise<void> {
  root = createRoot(document.body.appendChild(document.createElement("div")));
  await act(async () => root?.render(<Checkout payload={payload} provider={razorpay} />));
  expect(text()).toBe("Opening the payment window…");
  const script = document.querySelector("script");
  expect(script?.src).toBe(payload.provider.script);
  bring();
  script?.dispatchEvent(new Event(becomes));
  await vi.waitFor(() => expect(document.querySelector(".razorpay-container, [role=alert]")).not.toBeNull(), patience);
}

const text = (): string => document.body.textContent ?? "";
const press = (label: string): Promise<void> =>
  act(async () => [...document.querySelectorAll("button")].find((b) => b.textContent === label)?.click());

describe("the window of provider A", () => {
  it("opens once its script has loaded, with the server's order and the payer's known details", async () => {
    await show("load");
    const { handler, modal, ...options } = window_.options;
    expect(options).toEqual({
      key: "rzp_test_1",
      order_id: "order_1",
      amount: "149900",
      currency: "INR",
      name: "HireSure",
      description: "Registration fee",
      config: { display: { language: "en" } },
      prefill: { name: "Asha Rao", email: "asha@example.com", contact: "+919876543210" },
      notes: { txn: "t1" },
    });
    expect(window_.opened).toBe(1);
    expect(document.querySelector(".razorpay-container")?.className).toBe("razorpay-container payment-window");
    expect(text()).toBe("Continue in the payment window.Another method");
    expect(sent).toEqual([]);
  });

  it("posts its signed result to the server once", async () => {
    await show("load");
    await window_.pay({ ...answer, more: "never sent" });
    await window_.pay(answer);
    await window_.dismiss();
    expect(sent).toEqual([{ action: "/checkout/t1/return", fields: answer }]);
    expect(text()).toBe("Processing...Another method");
    expect(window_.opened).toBe(1);
  });

  it("with an unreadable result only makes the server query the provider", async () => {
    await show("load");
    await window_.pay({ razorpay_payment_id: 7 });
    expect(sent).toEqual([{ action: "/checkout/t1/return", fields: {} }]);
  });

  it("can be opened again after it was closed, and nothing is sent", async () => {
    await show("load");
    await window_.dismiss();
    expect(document.querySelector('[role="alert"]')?.textContent).toBe(closed);
    const before = window_;
    await press("No, pay ₹1,499");
    await vi.waitFor(() => expect(window_).not.toBe(before), patience);
    expect(window_.opened).toBe(1);
    expect(sent).toEqual([]);
    await window_.pay(answer);
    expect(sent).toHaveLength(1);
  });

  it("stays open after a declined payment and shows the outcome when closed", async () => {
    await show("load");
    await window_.decline();
    expect([text(), sent]).toEqual(["Continue in the payment window.Another method", []]);
    await window_.dismiss();
    expect(sent).toEqual([{ action: "/checkout/t1/return", fields: {} }]);
  });

  it("posts the result of a second payment that succeeded", async () => {
    await show("load");
    await window_.decline();
    await window_.pay(answer);
    expect(sent).toEqual([{ action: "/checkout/t1/return", fields: answer }]);
  });

  it.each<[string, "load" | "error", () => void]>([
    ["whose script does not load", "error", () => {}],
    ["whose script brings nothing", "load", () => {}],
    ["that breaks when it is opened", "load", () => bringWindow(true)],
  ])("%s offers to try again, and another method", async (_, becomes, bring) => {
    await show(becomes, bring);
    expect(document.querySelector('[role="alert"]')?.textContent).toBe(failedToLoad);
    expect(text()).toBe(`${failedToLoad}Try againAnother method`);
    expect(sent).toEqual([]);
  });

  it.each([
    ["as the page has it", {}, true],
    ["of another gateway", { gateway: "sandbox" }, false],
    ["that returns to another site", { return: "https://elsewhere.example/" }, false],
    ["without an order", { provider: { script: "https://example.com/checkout.js" } }, false],
  ])("takes a payload %s: %#", (_, change, taken) => {
    expect(parse(razorpayPayload, { ...payload, ...change }) !== undefined).toBe(taken);
  });
});
