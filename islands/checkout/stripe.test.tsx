import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Checkout } from "./Checkout.tsx";
import { type StripePayload, stripePayload } from "./payload.ts";
import { stripe } from "./stripe.tsx";

const payload: StripePayload = {
  gateway: "stripe",
  txn: "t1",
  amount: "₹999",
  return: "/checkout/t1/return",
  other: "/pay",
  provider: { script: "https://js.example/stripe.js", publishableKey: "pk_1", clientSecret: "pi_1_secret_1" },
};

const loading = "Opening the payment window…";
const failed = "The payment window failed to load. Are you online?Try againAnother method";
const notHeard = "No answer came. Try again: you can be charged only once.";

let root: Root | undefined;
let sent: { action: string; fields: Record<string, string> }[];
let asked: unknown[]; // arguments of calls to the provider
let heard: Record<string, () => void>;
let dark: boolean;

/** Fakes the provider's script; answer is the result of each press of the button. */
function provide(answer: () => Promise<unknown>): void {
  vi.stubGlobal("Stripe", (key: string) => ({
    elements: (options: object) => {
      asked.push({ key, ...options });
      return {
        create: () => ({
          mount: (place: HTMLElement) => place.append("the card's fields"),
          destroy: () => asked.push("destroyed"),
          on: (event: string, listener: () => void) => {
            heard[event] = listener;
          },
        }),
      };
    },
    confirmPayment: ({ confirmParams, redirect }: { confirmParams: object; redirect: string }) => {
      asked.push({ ...confirmParams, redirect });
      return answer();
    },
  }));
}

async function show(): Promise<void> {
  const place = document.body.appendChild(document.createElement("div"));
  root = createRoot(place);
  await act(async () => root?.render(<Checkout payload={payload} provider={stripe} />));
  expect(text()).toBe(loading);
  await act(async () => void document.querySelector("script")?.dispatchEvent(new Event("load")));
  await pass(0);
}

const ready = (): Promise<void> => act(async () => heard.ready?.());
const text = (): string => document.body.textContent ?? "";
const alert = (): string | undefined => document.querySelector("[role=alert]")?.textContent ?? undefined;
const pass = (milliseconds: number): Promise<void> =>
  act(async () => {
    await vi.advanceTimersByTimeAsync(milliseconds);
  });
const press = (): Promise<void> =>
  act(async () => {
    document.querySelector("button")?.click();
    await vi.advanceTimersByTimeAsync(0); // until the result is shown
  });
const confirms = (): unknown[] => asked.slice(1).filter((ask) => ask !== "destroyed");

beforeEach(() => {
  sent = [];
  asked = [];
  heard = {};
  dark = false;
  payload.provider.script = `https://js.example/${Math.random()}.js`; // a page loads each script once, and all tests share one page
  vi.useFakeTimers();
  vi.stubGlobal("matchMedia", () => ({ matches: dark }));
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

describe("the card elements", () => {
  it("pay once and post the payment intent's id to the server", async () => {
    provide(async () => ({ paymentIntent: { id: "pi_1", status: "succeeded" } }));
    await show();
    expect(text()).toBe(`${loading}the card's fieldsAnother method`);
    await ready();
    expect(text()).toBe("the card's fieldsPay ₹999Another method");
    await press();
    await press();
    expect(asked).toEqual([
      { key: "pk_1", clientSecret: "pi_1_secret_1", locale: "en", appearance: { theme: "stripe" } },
      {
        return_url: `${document.location.origin}/checkout/t1/return?kspay_id=t1&payment_status=Success&provider_payment_id=`,
        redirect: "if_required",
      },
    ]);
    expect(sent).toEqual([{ action: "/checkout/t1/return", fields: { payment_intent: "pi_1" } }]);
    expect(document.querySelector("button")?.textContent).toBe("Processing...");
  });

  it("show progress and accept one press during the bank's authentication", async () => {
    provide(() => new Promise(() => {}));
    await show();
    await ready();
    await press();
    await press();
    expect(document.querySelector("button")?.textContent).toBe("Processing...");
    expect(document.querySelector("button")?.getAttribute("aria-busy")).toBe("true");
    expect(confirms()).toHaveLength(1);
    expect(sent).toEqual([]);
  });

  it.each([
    ["the bank's refusal", { type: "card_error", message: "Your card was declined." }, "Your card was declined."],
    [
      "what is missing",
      { type: "validation_error", message: "Your card number is incomplete." },
      "Your card number is incomplete.",
    ],
    [
      "no provider's name",
      { type: "card_error", message: "Ask Stripe." },
      "This payment was refused. Try another card, or another method.",
    ],
    [
      "no more where there are no words",
      { type: "card_error" },
      "This payment was refused. Try another card, or another method.",
    ],
    ["no word of ours that went wrong", { type: "invalid_request_error", message: "No such payment_intent" }, notHeard],
    ["that no answer came", { type: "api_connection_error", message: "We could not reach it" }, notHeard],
  ])("tell %s, and can be pressed again", async (_, error, words) => {
    const answers: unknown[] = [{ error }, { paymentIntent: { id: "pi_1", status: "succeeded" } }];
    provide(async () => answers.shift());
    await show();
    await ready();
    await press();
    expect(alert()).toBe(words);
    expect(sent).toEqual([]);
    expect(document.querySelector("button")?.textContent).toBe("Pay ₹999");
    await press();
    expect(alert()).toBeUndefined();
    expect(sent).toHaveLength(1);
  });

  it("can be used again after an exception", async () => {
    provide(() => Promise.reject(new Error("Stripe is broken")));
    await show();
    await ready();
    await press();
    expect(alert()).toBe(notHeard);
    expect(sent).toEqual([]);
    expect(document.querySelector("button")?.textContent).toBe("Pay ₹999");
  });

  it.each([
    ["succeeded", 1],
    ["processing", 1],
    ["canceled", 1],
    ["requires_payment_method", 0],
    ["requires_action", 0],
  ])("let the server look at a payment that an earlier try has left %s", async (status, times) => {
    provide(async () => ({ error: { type: "invalid_request_error", payment_intent: { id: "pi_1", status } } }));
    await show();
    await ready();
    await press();
    expect(sent).toHaveLength(times);
    expect(alert()).toBe(times > 0 ? undefined : notHeard);
  });

  it("use the dark theme if the page does", async () => {
    dark = true;
    provide(async () => ({}));
    await show();
    expect(asked[0]).toMatchObject({ appearance: { theme: "night" } });
  });

  it("are unmounted with the page", async () => {
    provide(async () => ({}));
    await show();
    await act(async () => root?.unmount());
    await pass(60_000);
    expect(asked.at(-1)).toBe("destroyed");
    expect(text()).toBe("");
  });

  it.each([
    ["say that they can not be loaded", async () => act(async () => heard.loaderror?.())],
    ["do not come", async () => pass(20_000)],
  ])("that %s have failed", async (_, happens) => {
    provide(async () => ({}));
    await show();
    await happens();
    expect(text()).toBe(failed);
    expect(sent).toEqual([]);
  });

  it("have 20 seconds to load, and the timeout ends once they have", async () => {
    provide(async () => ({}));
    await show();
    await pass(19_999);
    expect(text()).toBe(`${loading}the card's fieldsAnother method`);
    await ready();
    await pass(60_000);
    expect(text()).toBe("the card's fieldsPay ₹999Another method");
  });

  it("fail if the script does not define what it should", async () => {
    await show();
    expect(text()).toBe(failed);
  });

  it("fail if the script is blocked", async () => {
    provide(async () => ({}));
    const place = document.body.appendChild(document.createElement("div"));
    root = createRoot(place);
    await act(async () => root?.render(<Checkout payload={payload} provider={stripe} />));
    expect(document.querySelector("script")?.src).toBe(payload.provider.script);
    await act(async () => void document.querySelector("script")?.dispatchEvent(new Event("error")));
    await pass(0);
    expect(text()).toBe(failed);
    expect(asked).toEqual([]);
  });

  it("accept only their own payload", () => {
    expect(stripePayload.safeParse(payload).success).toBe(true);
    for (const name of ["script", "publishableKey", "clientSecret"]) {
      const provider = { ...payload.provider, [name]: undefined };
      expect(stripePayload.safeParse({ ...payload, provider }).success).toBe(false);
    }
  });
});
