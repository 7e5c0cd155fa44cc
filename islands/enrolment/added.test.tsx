// The island renders a form with added fields without new code. cmd/site/site/field_test.go adds them on the server.
import { readFileSync } from "node:fs";
import { act } from "react";
import type { Root } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Form } from "../forms/check.ts";
import { canonical, parse } from "../forms/markup.ts";
import { mount } from "./main.tsx";
import { Ticket } from "./Ticket.tsx";
import { type View, viewSchema } from "./view.ts";

vi.mock("../../forms/enrolment.json", async (importOriginal) => {
  const { default: form } = await importOriginal<{ default: Form }>();
  const { default: added } = await import("../../forms/testdata/added.json");
  const { withAdded } = await import("../forms/added.ts");
  return { default: withAdded(form, added.enrolment) };
});
vi.setConfig({ testTimeout: 30_000 }); // the machine may be busy with other tests

const create = "/scholarship/v1/create-scholarship-request";
const states = ["initial", "verified", "refused"] as const; // Go writes them: go test ./pages/landing -run Ticket -update
const read = (file: string) => readFileSync(`${import.meta.dirname}/testdata/added/${file}`, "utf8").trimEnd();
const viewOf = (state: string): View => viewSchema.parse(JSON.parse(read(`${state}.json`)));

let root: Root | undefined;
let sent: Record<string, unknown>[];
let refusal: Record<string, string> | undefined;

beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
  refusal = undefined;
  vi.stubGlobal("fetch", async (path: string, { body }: RequestInit) => {
    if (path !== create) throw new Error(`nobody answers ${path}`);
    sent.push(JSON.parse(String(body)));
    const code = refusal ? 422 : 200;
    const head = { success: !refusal, isOk: !refusal, code, message: "Said." };
    return Response.json({ ...head, errors: refusal, scholarship_requested_id: "r1" }, { status: code });
  });
});
afterEach(() => {
  act(() => root?.unmount());
  document.body.replaceChildren();
  sessionStorage.clear();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function at(state: string): HTMLElement {
  const server = parse(read(`${state}.html`));
  document.body.append(server);
  act(() => {
    root = mount(server, viewOf(state), vi.fn());
  });
  return server;
}

function find<T extends Element = HTMLInputElement>(selector: string): T {
  const found = document.querySelector<T>(selector);
  if (!found) throw new Error(`nothing is ${selector}`);
  return found;
}

async function type(name: string, value: string | boolean) {
  const field = find(`[name="${name}"]${typeof value === "string" ? "" : ":not([type=hidden])"}`);
  await act(async () => {
    if (typeof value === "boolean") field.checked = value;
    else field.value = value;
    field.dispatchEvent(new InputEvent("input", { bubbles: true }));
    await vi.advanceTimersByTimeAsync(50);
  });
}

const pay = () =>
  act(async () => {
    const submitter = find<HTMLButtonElement>('button[value="pay"]');
    find("form").dispatchEvent(new SubmitEvent("submit", { bubbles: true, cancelable: true, submitter }));
    await vi.advanceTimersByTimeAsync(50);
  });

async function fillIn() {
  await type("owns_telescope", true);
  await type("telescope_name", "old-glass");
  await type("hobby_horse", " Kites & <dragons>");
  await type("hobby_story", "One day\nin May");
  const box = find('[value="late_week"]');
  await act(async () => {
    box.checked = true;
    box.dispatchEvent(new InputEvent("input", { bubbles: true }));
  });
}

describe.each(states)("%s", (state) => {
  test("React writes what templ writes", () => {
    const server = parse(read(`${state}.html`));
    const slot = (name: string) => server.querySelector(`[data-slot="${name}"]`)?.innerHTML ?? "";
    const slots = { head: slot("head"), help: slot("help"), call: slot("call") };
    const client = parse(renderToString(<Ticket view={viewOf(state)} slots={slots} />));
    expect(canonical(client)).toEqual(canonical(server));
    expect(client.querySelector("[name=hobby_horse]")).not.toBeNull();
  });

  test("the island hydrates the form without warnings", () => {
    const complaints = [vi.spyOn(console, "error"), vi.spyOn(console, "warn")];
    at(state);
    for (const complaint of complaints) expect(complaint).not.toHaveBeenCalled();
  });
});

test("a dependent field appears with its condition", async () => {
  at("verified");
  const dependent = find<HTMLElement>('[data-field="telescope_name"]');
  expect(dependent.hidden).toBe(true);
  await type("owns_telescope", true);
  expect(dependent.hidden).toBe(false);
  await type("owns_telescope", false);
  expect(dependent.hidden).toBe(true);
});

test("values are sent by wire name and type", async () => {
  at("verified");
  await fillIn();
  await pay();
  expect(sent).toEqual([
    {
      scholarship_code: "KS_Mgrow",
      scholarship_subevent_code: "KS_Mgrow_2025",
      country_code: "+91",
      fullname: "Asha Verma",
      email: "asha@example.com",
      phone_number: "9876543210",
      selected_course: "Data_Analytics",
      state: "Karnataka",
      company_name: "St. Xavier's College",
      adult: true,
      agreed_terms_conditions: true,
      consents: ["marketing", "reminders"],
      owns_telescope: true,
      telescope_name: "old-glass",
      pastimeWord: "Kites & <dragons>",
      hobby_story: "One day\nin May",
      spare_evenings: ["late_week"],
    },
  ]);
});

test("empty and inapplicable fields are not sent", async () => {
  at("verified");
  await fillIn();
  await type("owns_telescope", false);
  await type("hobby_horse", "");
  await pay();
  expect(sent[0]).toMatchObject({ owns_telescope: false, spare_evenings: ["late_week"] });
  expect(sent[0]).not.toHaveProperty("telescope_name");
  expect(sent[0]).not.toHaveProperty("pastimeWord");
});

test("its rule is checked before sending, and its group unfolds", async () => {
  at("verified");
  await type("hobby_horse", "x".repeat(31));
  await pay();
  expect(sent).toEqual([]);
  expect(find("#e-hobby_horse").textContent).toBe("Your hobby horse must have at most 30 letters.");
  expect(find('.to-do a[href="#f-hobby_horse"]').textContent).toContain("at most 30 letters");
  expect(find("#f-hobby_horse").closest("details")?.open).toBe(true);
});

test("an error with its wire name is shown at the field", async () => {
  at("verified");
  refusal = { pastimeWord: "Not this horse." };
  await type("hobby_horse", "Kites");
  await pay();
  expect(find("#e-hobby_horse").textContent).toBe("Not this horse.");
});

test("a draft restores it after a reload", async () => {
  at("initial");
  await fillIn();
  act(() => root?.unmount());
  document.body.replaceChildren();
  at("initial");
  expect(find("[name=hobby_horse]").value).toBe("Kites & <dragons>");
  expect(find<HTMLTextAreaElement>("[name=hobby_story]").value).toBe("One day\nin May");
  expect(find("[name=owns_telescope]").checked).toBe(true);
  expect(find<HTMLSelectElement>("[name=telescope_name]").value).toBe("old-glass");
  expect(find<HTMLElement>('[data-field="telescope_name"]').hidden).toBe(false);
  expect([find('[value="early_week"]').checked, find('[value="late_week"]').checked]).toEqual([false, true]);
  expect(find("[name=hobby_horse]").closest("details")?.open).toBe(true);
});
