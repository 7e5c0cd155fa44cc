import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { parse } from "../runtime/schema.ts";
import { Checkout } from "./Checkout.tsx";
import { type TwocheckoutPayload, twocheckoutPayload } from "./payload.ts";
import { twocheckout } from "./twocheckout.tsx";

let scripts = 0; // a page loads each script once, and all tests share one page
let payload: TwocheckoutPayload;
let root: Root | undefined;
let sent: { action: string; fields: Record<string, string> }[];
let answers: { resolve(answer: { token?: string }): void; reject(reason: Error): void }[]; // one per press
let asked: unknown[];

const patience = 4000; // ms; the machine may be busy
const failedToLoad = "The payment window failed to load. Are you online?";
const refused = "The card could not be read. Check its number, date and code.";

beforeEach(() => {
  payload = {
    gateway: "twocheckout",
    txn: "t1",
    amount: "₹1,499",
    return: "/checkout/t1/return",
    other: "/pay",
    provider: {
      script: `https://example.com/2pay-${++scripts}.js`,
      sellerId: "250111206876",
      publishableKey: "public",
      name: "Asha Rao",
    },
  };
  sent = [];
  answers = [];
  asked = [];
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
  delete window.TwoPayClient;
  vi.restoreAllMocks();
});

/** Defines what the provider's script defines. */
function bringFields(breaks = false): void {
  window.TwoPayClient = class {
    constructor(merchant: string) {
      asked.push(merchant);
    }

    components = {
      create: () => ({
        mount: (selector: string) => {
          if (breaks) throw new Error("no frame");
          document.querySelector(selector)?.append(document.createElement("iframe"));
        },
      }),
    };

    tokens = {
      generate: (_: unknown, details: { name: string }) => {
        asked.push(details);
        return new Promise<{ token?: string }>((resolve, reject) => answers.push({ resolve, reject }));
      },
    };
  };
}

async function show(becomes: "load" | "error", bring: () => void = bringFields): Promise<void> {
  root = createRoot(document.body.appendChild(document.createElement("div")));
  await act(async () => root?.render(<Checkout payload={payload} provider={twocheckout} />));
  expect(text()).toBe("Opening the payment window…");
  const script = document.querySelector("script");
  expect(script?.src).toBe(payload.provider.script);
  bring();
  script?.dispatchEvent(new Event(becomes));
  await vi.waitFor(() => expect(document.querySelector("iframe, [role=alert]")).not.toBeNull(), patience);
}

const text = (): string => document.body.textContent ?? "";
const press = (): Promise<void> => act(async () => document.querySelector("button")?.click());
const answer = (give: (to: (typeof answers)[number]) => void): Promise<void> =>
  act(async () => answers.slice(-1).forEach(give));

describe("the card fields of provider F", () => {
  it("are in the provider's frame; this page has no field for a card number", async () => {
    await show("load");
    expect(document.querySelectorAll("iframe")).toHaveLength(1);
    expect(document.querySelectorAll("input, textarea, [contenteditable]")).toHaveLength(0);
    expect(text()).toBe("Pay ₹1,499Another method");
    expect([asked, sent]).toEqual([["250111206876"], []]);
  });

  it("turn a card into a token and post it to the server once", async () => {
    await show("load");
    await press();
    await press();
    expect(asked).toEqual(["250111206876", { name: "Asha Rao" }]);
    expect([text(), sent]).toEqual(["Processing...Another method", []]);
    await answer((to) => to.resolve({ token: "190f2d9c" }));
    await press();
    expect(sent).toEqual([{ action: "/checkout/t1/return", fields: { token: "190f2d9c" } }]);
    expect(text()).toBe("Processing...Another method");
    expect(asked).toHaveLength(2);
    expect(document.querySelectorAll("iframe")).toHaveLength(1);
  });

  it.each<[string, (to: (typeof answers)[number]) => void]>([
    ["refuse", (to) => to.reject(new Error("Card number 4111 is wrong"))],
    ["make nothing of", (to) => to.resolve({})],
  ])("%s a card: our own message is shown, and another card can be tried", async (_, give) => {
    await show("load");
    await press();
    await answer(give);
    expect(document.querySelector('[role="alert"]')?.textContent).toBe(refused);
    expect(text()).toBe(`${refused}Pay ₹1,499Another method`);
    expect([sent, document.querySelectorAll("iframe").length]).toEqual([[], 1]);
    await press();
    await answer((to) => to.resolve({ token: "second" }));
    expect(sent).toEqual([{ action: "/checkout/t1/return", fields: { token: "second" } }]);
  });

  it.each<[string, "load" | "error", () => void]>([
    ["whose script does not load", "error", () => {}],
    ["whose script brings nothing", "load", () => {}],
    ["that break when they are shown", "load", () => bringFields(true)],
  ])("%s offer to try again, and another method", async (_, becomes, bring) => {
    await show(becomes, bring);
    expect(document.querySelector('[role="alert"]')?.textContent).toBe(failedToLoad);
    expect(text()).toBe(`${failedToLoad}Try againAnother method`);
    expect(sent).toEqual([]);
  });

  it.each([
    ["as the page has it", {}, true],
    ["of another gateway", { gateway: "razorpay" }, false],
    ["that returns to another site", { return: "https://elsewhere.example/" }, false],
    ["without a seller", { provider: { script: "https://example.com/2pay.js" } }, false],
  ])("take a payload %s: %#", (_, change, taken) => {
    expect(parse(twocheckoutPayload, { ...payload, ...change }) !== undefined).toBe(taken);
  });
});
