import { beforeEach, expect, test } from "vitest";
import { loadTab, saveTab } from "../application/tab.ts";
import { dropDiscarded, keepChosen } from "./chosen.ts";

const owner = { registration: "0123456789abcdefghjkmnpqrs", step: "academic" } as const;

beforeEach(() => {
  sessionStorage.clear();
  document.body.innerHTML = `<form data-kept-by="application:${owner.registration}:academic"><input type="hidden" name="seen" value="4">
    <input type="hidden" name="examName" value="HSC">
    <input type="radio" name="course" value="M.A."><input type="radio" name="course" value="B.Com." checked></form>`;
});

test("stores the chosen answers as this tab's values and replaces earlier ones", () => {
  const form = document.querySelector("form") as HTMLFormElement;
  keepChosen(form);
  expect(loadTab(owner, Date.now())).toBeUndefined();
  form.dispatchEvent(new SubmitEvent("submit"));
  expect(loadTab(owner, Date.now())).toMatchObject({
    version: 4,
    values: { course: "B.Com.", examName: "HSC" },
    sent: true,
  });
});

test("discarding a draft deletes this tab's values, and only at the press", () => {
  document.body.innerHTML = `<form data-drops="application:${owner.registration}:academic"></form>`;
  const form = document.querySelector("form") as HTMLFormElement;
  saveTab(owner, { at: Date.now(), values: { course: "B.Com." }, version: 4, field: "", sent: false });
  dropDiscarded(form);
  expect(loadTab(owner, Date.now())).toMatchObject({ values: { course: "B.Com." } });
  form.dispatchEvent(new SubmitEvent("submit"));
  expect(loadTab(owner, Date.now())).toBeUndefined();
});
