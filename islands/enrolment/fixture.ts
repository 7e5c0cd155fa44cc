// Test fixture: the island with a fake server. Each test starts with an empty document and leaves one.
import { readFileSync } from "node:fs";
import { act } from "react";
import type { Root } from "react-dom/client";
import { afterEach, beforeEach, vi } from "vitest";
import { mount } from "./main.tsx";
import type { View } from "./view.ts";

vi.setConfig({ testTimeout: 30_000 }); // the machine may be busy with other tests

export const verification = "/scholarship/v1/user-verification-request";
export const verify = "/scholarship/v1/user-request-verify";
export const resend = "/ks-website/v1/resend-otp-for-scholarship-request";
export const coupon = "/scholarship/v1/apply-coupon";
export const create = "/scholarship/v1/create-scholarship-request";
export const initiate = "/payments/v1/initiate-payment";

type Reply = Response | Error | Promise<Response>;
interface Call {
  path: string;
  body: Record<string, unknown>;
}

export let root: Root | undefined;
export let calls: Call[];
export let replies: Record<string, Reply[]>;
export const go = vi.fn();

export const ok = (body: object = {}) => Response.json({ success: true, isOk: true, message: "Fine.", ...body });
export const refusal = (status: number, message: string, errors: Record<string, string> = {}, headers = {}) =>
  Response.json({ success: false, isOk: false, code: status, message, errors }, { status, headers });

/**
 * Renders a state of testdata and hydrates it. early: values typed before the script has loaded.
 * @param change changes of the view
 */
export function at(state: string, early: Record<string, string> = {}, change = (view: View): View => view): View {
  const read = (extension: string) =>
    readFileSync(`${import.meta.dirname}/testdata/${state}.${extension}`, "utf8").trimEnd();
  const element = document.createElement("div");
  element.innerHTML = read("html");
  document.title = "HireSure";
  document.body.append(element);
  for (const [name, value] of Object.entries(early)) input(name).value = value;
  const view: View = change(JSON.parse(read("json")));
  act(() => {
    root = mount(element, view, go);
  });
  return view;
}

/** Registers the island, so that it is unmounted after the test. */
export function stands(mounted: Root | undefined): void {
  root = mounted;
}

export function forgetCalls(): void {
  calls = [];
}

beforeEach(() => {
  vi.useFakeTimers();
  calls = [];
  replies = {};
  go.mockReset();
  sessionStorage.clear();
  vi.stubGlobal("fetch", async (path: string, init: RequestInit = {}) => {
    if (path === "/human/challenge") return new Response("", { status: 404 }); // CAPTCHA=off
    calls.push({ path, body: init.body ? JSON.parse(String(init.body)) : {} });
    const reply = replies[path]?.shift() ?? new Error(`nobody answers ${path}`);
    if (reply instanceof Error) throw reply;
    return reply;
  });
});

afterEach(() => {
  act(() => root?.unmount());
  root = undefined;
  document.body.replaceChildren();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

export function find<T extends Element>(selector: string): T {
  const found = document.querySelector<T>(selector);
  if (!found) throw new Error(`nothing is ${selector}`);
  return found;
}
export const input = (name: string) => find<HTMLInputElement>(`[name="${name}"]`);
export const error = (name: string) => document.querySelector(`#e-${name}`)?.textContent ?? "";
export const status = () => find('[role="status"]').textContent;
/** The messages of the summary, without the names of their fields. */
export const summary = () =>
  Array.from(document.querySelectorAll(".error-summary li"), (item) => {
    const heard = item.querySelector(".visually-hidden");
    return heard?.textContent?.replace(/^: /, "") ?? item.textContent;
  });
export const button = (value: string) => find<HTMLButtonElement>(`button[value="${value}"]`);
/** Price, price without the coupon, and the coupon. */
export const price = () =>
  [".fee", ".enrol-price-struck s", ".enrol-price-coupon span"].flatMap(
    (part) => document.querySelector(part)?.textContent ?? [],
  );
/** Advances the clock, in ms. */
export const pass = (time: number) =>
  act(async () => {
    await vi.advanceTimersByTimeAsync(time);
  });
/** Lets time pass while no timer runs, as on a sleeping phone, and then a second with them. */
export const sleep = (time: number) => {
  vi.setSystemTime(Date.now() + time - 1000);
  return pass(1000);
};
export const settle = () => pass(50);
export const paths = () => calls.map(({ path }) => path);
export const bodyOf = (path: string) => calls.find((call) => call.path === path)?.body;

export async function type(values: Record<string, string | boolean>) {
  for (const [name, value] of Object.entries(values)) {
    const answer = document.querySelector<HTMLInputElement>(`[type="radio"][name="${name}"][value="${value}"]`);
    const field = answer ?? input(name);
    act(() => {
      if (answer) field.checked = true;
      else if (typeof value === "boolean") field.checked = value;
      else field.value = value;
      field.dispatchEvent(new InputEvent("input", { bubbles: true }));
    });
  }
  await settle();
}

export async function press(value: string) {
  act(() => {
    find("form").dispatchEvent(
      new SubmitEvent("submit", { bubbles: true, cancelable: true, submitter: button(value) }),
    );
  });
  await settle();
}

export const started = (amount = 1499, currency = "INR") =>
  ok({ transactionResponse: { checkout_url: "/checkout/t1", amount, currency } });

export const person = { fullname: "Asha Verma", email: "asha@example.com", phone_number: "9876543210" };

export async function sent() {
  at("initial");
  await type(person);
  replies[verification] = [ok({ request_id: "r1", resend_after: 60, expires_in: 600 })];
  await press("send-code");
}
