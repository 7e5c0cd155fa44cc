import { beforeEach, expect, test } from "vitest";
import { loadTab } from "../application/tab.ts";
import { keepChosen } from "./chosen.ts";

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
