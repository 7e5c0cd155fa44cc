// Renders a step and fakes its server.
import { readFileSync } from "node:fs";
import { act } from "react";
import type { Root } from "react-dom/client";
import { afterEach, beforeEach, vi } from "vitest";
import table from "../../forms/cases.json";
import hiresure from "../../forms/hiresure.json";
import { mount } from "./main.tsx";
import type { Payload } from "./view.ts";

vi.setConfig({ testTimeout: 30_000 }); // the machine may be busy with other tests

export const draftPath = "/v2scholarship/v1/save-form-draft";
export const stepPath = "/v2scholarship/v1/submit-form-details";
export const readPath =
  "/v2scholarship/v1/form-draft?scholarship_code=hiresure&scholarship_requested_id=0123456789abcdefghjkmnpqrs&profile_step=2";
export type Reply = Response | Error | ((body: Record<string, unknown>) => Response | Promise<Response>);

export let root: Root | undefined;
export let calls: { path: string; body: Record<string, unknown>; keepalive: boolean }[];
export let replies: Record<string, Reply[]>;
export let online: boolean;
export const go = vi.fn();
export const posted = vi.fn();

export const ok = (body: object) => Response.json({ success: true, isOk: true, message: "Fine.", ...body });
export const no = (status: number, message: string, errors: Record<string, string> = {}, headers = {}) =>
  Response.json({ success: false, isOk: false, code: status, message, errors }, { status, headers });
export const draftOf = (version: number, answers: object) =>
  ok({ draft: { version, saved_at: "2026-11-21T06:36:00Z", half: true, field: "", answers } });
/** Records requests, without fields, by wire name. */
export const kept =
  (version: number, ...not: string[]) =>
  (body: Record<string, unknown>) =>
    draftOf(
      version,
      Object.fromEntries(Object.entries(body).filter(([name]) => isAnswer(name) && !not.includes(name))),
    );
export const isAnswer = (name: string) =>
  !["scholarship_code", "profile_step", "scholarship_requested_id", "version", "field"].includes(name);
export const saved = ok({ profile_step: 2 });

beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-11-21T06:35:00Z") });
  calls = [];
  replies = {};
  online = true;
  go.mockReset();
  posted.mockReset();
  sessionStorage.clear();
  vi.stubGlobal("fetch", async (path: string, init: RequestInit = {}) => {
    const body = init.body ? JSON.parse(String(init.body)) : {};
    calls.push({ path, body, keepalive: init.keepalive ?? false });
    const reply = replies[path]?.shift() ?? new TypeError(`nobody answers ${path}`);
    if (reply instanceof Error) throw reply;
    return typeof reply === "function" ? reply(body) : reply;
  });
  vi.spyOn(navigator, "onLine", "get").mockImplementation(() => online);
  vi.spyOn(HTMLFormElement.prototype, "submit").mockImplementation(function (this: HTMLFormElement) {
    posted(Object.fromEntries(new FormData(this)));
  });
});

afterEach(() => {
  act(() => root?.unmount());
  root = undefined;
  document.body.replaceChildren();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

export const head = `<header class="rail"><p class="saved" role="status"><span class="icon icon-tick"></span><span>Saved 12:04</span></p>
  <div class="rail-step"><b>Academic Info</b><span>Step 2 of 6</span></div></header><div class="application-intro"><p class="lede">Write it.</p></div>`;

/** @param early runs before the island's script */
export function at(state: string, changes: Partial<Payload> = {}, early?: () => void) {
  const read = (extension: string) => readFileSync(`${import.meta.dirname}/testdata/${state}.${extension}`, "utf8");
  document.body.innerHTML = `${head}<div class="island-root">${read("html").trimEnd()}</div>`;
  const payload: Payload = { ...JSON.parse(read("json")), ...changes };
  for (const [name, value] of Object.entries(changes.values ?? {})) field(name).value = value; // as the server writes it
  early?.();
  act(() => {
    root = mount(find(".island-root"), payload, go);
  });
}

export function find<T extends Element>(selector: string): T {
  const found = document.querySelector<T>(selector);
  if (!found) throw new Error(`nothing is ${selector}`);
  return found;
}
export const pass = (ms: number) =>
  act(async () => {
    await vi.advanceTimersByTimeAsync(ms);
  });
export const field = (name: string) => find<HTMLInputElement>(`[name="${name}"]`);
export function type(values: Record<string, string>) {
  for (const [name, value] of Object.entries(values))
    act(() => {
      field(name).value = value;
      field(name).dispatchEvent(new InputEvent("input", { bubbles: true }));
    });
}
export async function press(value: string) {
  const submitter = find<HTMLButtonElement>(
    `.application-buttons button[value="${value}"], .notice button[value="${value}"]`,
  );
  act(() => {
    find("form").dispatchEvent(new SubmitEvent("submit", { bubbles: true, cancelable: true, submitter }));
  });
  await pass(10);
}
export const drafts = () => calls.filter(({ path }) => path === draftPath).map(({ body }) => body);
export const line = () => find(".saved span:last-child").textContent;
export const notice = () => document.querySelector(".fields > .notice p")?.textContent ?? "";
export const stored = () => Object.values({ ...sessionStorage }).map((text) => JSON.parse(text));
/** Good answers to the other fields of the academic step. */
export const whole: Record<string, string> = Object.fromEntries(
  Object.entries(table.good.hiresure).filter(
    ([name]) =>
      !["institution", "course"].includes(name) &&
      hiresure.fields.find((field) => field.name === name)?.group === "academic",
  ),
);

export const unmount = () => act(() => root?.unmount());
export const forget = () => {
  calls = [];
};
export const setOnline = (is: boolean) => {
  online = is;
};
