// The enquiry form with added fields needs no new code.
import { expect, test, vi } from "vitest";
import type { Form } from "../forms/check.ts";

vi.mock("../../forms/enquiry.json", async (importOriginal) => {
  const { default: form } = await importOriginal<{ default: Form }>();
  const { default: added } = await import("../../forms/testdata/added.json");
  const { withAdded } = await import("../forms/added.ts");
  return { default: withAdded(form, added.enquiry) };
});

const { judgeWhileTyping } = await import("./judge");

const field = (name: string, control: string, attributes = "") =>
  `<div class="field" data-field="${name}"${attributes}><label class="label" for="f-enquiry-${name}">${name}</label><div class="control">${control}</div></div>`;

test("an added field is judged, and what depends on it shows with it", () => {
  const place = document.createElement("div");
  place.innerHTML = `<form>${field("hobby_horse", '<input id="f-enquiry-hobby_horse" name="hobby_horse">')}${field(
    "hobby_story",
    '<textarea id="f-enquiry-hobby_story" name="hobby_story"></textarea>',
    " hidden",
  )}</form>`;
  document.body.append(place);
  judgeWhileTyping(place);
  const input = place.querySelector("input");
  const story = place.querySelector<HTMLElement>('[data-field="hobby_story"]');
  const type = (text: string) => {
    if (input) input.value = text;
    input?.dispatchEvent(new Event("input", { bubbles: true }));
  };

  type("x".repeat(31));
  input?.dispatchEvent(new FocusEvent("focusout", { bubbles: true }));
  expect(place.querySelector("#e-enquiry-hobby_horse")?.textContent).toBe(
    "Your hobby horse must have at most 30 letters.",
  );
  expect(story?.hidden).toBe(true);
  type(" Kites ");
  expect(place.querySelector("#e-enquiry-hobby_horse")).toBeNull();
  expect(story?.hidden).toBe(false);
  type("Drums");
  expect(story?.hidden).toBe(true);
});
