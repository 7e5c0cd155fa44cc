import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Checkout } from "./Checkout.tsx";
import { open } from "./main.tsx";
import type { PayuPayload } from "./payload.ts";
import { payu } from "./payu.tsx";

const signed = {
  key: "TESTKEY1",
  txnid: "abcdefghij0123456789",
  productinfo: "Enrolment fee",
  amount: "1499.00",
  email: "asha@example.com",
  firstname: "Asha Rao",
  phone: "9876543210",
  udf1: "t1",
  surl: "https://example.com/checkout/t1/return",
  furl: "https://example.com/checkout/t1/return",
  hash: "7ca1f061",
};

const payUUrl = "https://secure.payu.in/_payment";

const payload: PayuPayload = {
  gateway: "payu",
  txn: "t1",
  amount: "₹1,499",
  return: "/checkout/t1/return",
  other: "/pay",
  provider: { details: { initiateTransaction: { ...signed, enforce_paymethod: "", payUUrl } } },
};

const loading = "Opening the payment window…Another method";
const closed =
  "Did you approve it?If you have approved the payment in your app, do not pay again.Yes, or not sure: check itNo, pay ₹1,499Another method";
const failed = "The payment window failed to load. Are you online?Try againAnother method";

let root: Root | undefined;
let sent: { action: string; method: string; fields: Record<string, string> }[];
let opened: string; // navigation type of the page
let broken: boolean;

async function show(shown: PayuPayload = payload): Promise<void> {
  const place = document.body.appendChild(document.createElement("div"));
  root = createRoot(place);
  await act(async () => root?.render(<Checkout payload={shown} provider={payu} />));
}

async function leavePage(): Promise<void> {
  await act(async () => root?.unmount());
  root = undefined;
  document.body.replaceChildren();
}

const text = (): string => document.body.textContent ?? "";

beforeEach(() => {
  vi.stubGlobal("fetch", async () => ({ ok: true })); // the reloaded checkout: the attempt is still open
  sent = [];
  opened = "navigate";
  broken = false;
  vi.spyOn(HTMLFormElement.prototype, "submit").mockImplementation(function (this: HTMLFormElement) {
    if (broken) throw new Error("no form leaves this browser");
    const fields = Object.fromEntries([...new FormData(this)].map(([name, value]) => [name, String(value)]));
    sent.push({ action: this.getAttribute("action") ?? "", method: this.method, fields });
  });
  vi.stubGlobal("performance", { now: () => Date.now(), getEntriesByType: () => [{ type: opened }] });
});

afterEach(async () => {
  await leavePage();
  sessionStorage.clear();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe("the hash form", () => {
  it("is posted at once, unchanged, and only once", async () => {
    await show();
    expect(sent).toEqual([{ action: payUUrl, method: "post", fields: signed }]);
    expect(text()).toBe(loading);
    await act(async () => root?.render(<Checkout payload={payload} provider={payu} />));
    expect(sent).toHaveLength(1);
  });

  it("is posted with the enforced methods, if any", async () => {
    const { details } = payload.provider;
    const enforced = { ...details.initiateTransaction, enforce_paymethod: "upi" };
    await show({ ...payload, provider: { details: { initiateTransaction: enforced } } });
    expect(sent.map(({ fields }) => fields)).toEqual([{ ...signed, enforce_paymethod: "upi" }]);
  });

  it.each([
    ["back_forward", closed, 0],
    ["reload", closed, 0],
    ["navigate", loading, 1], // from the result page of a failed attempt
  ])("is posted again unasked only for somebody who has asked for the page: %s", async (type, shown, times) => {
    await show();
    await leavePage();
    sent = [];
    opened = type;
    await show();
    expect(text()).toBe(shown);
    expect(sent).toHaveLength(times);
    if (times > 0) return;
    await act(async () => document.querySelector("button")?.click());
    expect(sent).toEqual([{ action: payUUrl, method: "post", fields: signed }]);
    expect(text()).toBe(loading);
  });

  it("is posted for another attempt after the payer came back from an earlier one", async () => {
    await show();
    await leavePage();
    opened = "back_forward";
    await show({ ...payload, txn: "t2" });
    expect(sent).toHaveLength(2);
  });

  it("is reported as failed if the page does not leave, and the next attempt posts it", async () => {
    broken = true;
    await show();
    expect(text()).toBe(failed);
    expect(sent).toEqual([]);
    expect(sessionStorage).toHaveLength(0);
    await leavePage();
    broken = false;
    opened = "reload"; // as Try again does
    await show();
    expect(sent).toHaveLength(1);
  });

  it("replaces the form of the page without scripts", async () => {
    document.body.innerHTML = `<div data-island="checkout"><div class="island-root"><form action="${payUUrl}"></form></div>
      <script type="application/json">${JSON.stringify(payload)}</script></div>`;
    const island = document.querySelector<HTMLElement>("[data-island]");
    if (!island) throw new Error("no island");
    await act(async () => open(island));
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    expect(island.querySelector(".island-root")?.textContent).toBe(loading);
  });

  it("is not used without a hash; the page's own form stays", async () => {
    const { hash: _, ...unsigned } = signed;
    const torn = { ...payload, provider: { details: { initiateTransaction: { ...unsigned, payUUrl } } } };
    document.body.innerHTML = `<div data-island="checkout"><div class="island-root"><form action="${payUUrl}"></form></div>
      <script type="application/json">${JSON.stringify(torn)}</script></div>`;
    const island = document.querySelector<HTMLElement>("[data-island]");
    if (!island) throw new Error("no island");
    await act(async () => open(island));
    expect(sent).toEqual([]);
    expect(island.querySelector("form")?.getAttribute("action")).toBe(payUUrl);
    expect(text()).toContain("The payment window failed to load. Pay with the buttons here instead.");
  });
});
