// One field of each kind as templ renders it, with the visitor's input before hydration.
import { act, useLayoutEffect, useReducer } from "react";
import type { Root } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { afterEach, describe, expect, test, vi } from "vitest";
import { Field, type FieldProps } from "./Field.tsx";
import { hydrate } from "./hydrate.ts";

vi.setConfig({ testTimeout: 30_000 }); // the machine may be busy with other tests

const options = [
  { value: "a", label: "First" },
  { value: "b", label: "Second" },
];

const fields: FieldProps[] = [
  { kind: "text", name: "text", label: "Text" },
  { kind: "text", name: "text_filled", label: "Text", value: "Server" },
  { kind: "email", name: "email", label: "E-mail", value: "server@example.com" },
  { kind: "tel", name: "tel", label: "Phone", prefix: "+91" },
  { kind: "otp", name: "otp", label: "OTP" },
  { kind: "date", name: "date", label: "Born on", value: "14-08-2005" },
  { kind: "textarea", name: "area", label: "Story", maxlength: 300 },
  { kind: "textarea", name: "area_filled", label: "Story", value: "Server", maxlength: 300 },
  { kind: "select", name: "select", label: "Course", empty: "Choose one", options },
  { kind: "select", name: "select_filled", label: "Course", value: "a", empty: "Choose one", options },
  { kind: "yesno", name: "yesno", label: "Which", options },
  { kind: "yesno", name: "yesno_filled", label: "Which", value: "a", options },
  { kind: "checkbox", name: "box", label: "I agree" },
  { kind: "checkbox", name: "box_filled", label: "I agree", checked: true },
  { kind: "checkboxes", name: "boxes", label: "All that apply", values: ["a"], options },
];

let renderAgain: () => void;

function Form({ seen }: { seen?: (values: string) => void }) {
  [, renderAgain] = useReducer((times: number) => times + 1, 0);
  useLayoutEffect(() => seen?.(values()), [seen]); // as an island reads its fields when it starts
  return (
    <form>
      {fields.map((field) => (
        <Field key={field.name} {...field} />
      ))}
    </form>
  );
}

let root: Root | undefined;
afterEach(() => {
  act(() => root?.unmount());
  document.body.replaceChildren();
  vi.restoreAllMocks();
});

function written(): HTMLElement {
  const place = document.createElement("div");
  place.innerHTML = renderToString(<Form />);
  document.body.append(place);
  return place;
}

const values = () => JSON.stringify([...new FormData(document.querySelector("form") ?? undefined)]);
const all = (name: string) => [...document.querySelectorAll<HTMLInputElement>(`[name="${name}"]`)];

/** Input into every field. */
function answer(typed: string) {
  for (const { kind, name } of fields)
    for (const [i, field] of all(name).entries())
      if (kind === "yesno" || kind === "checkboxes") field.checked = i === 1;
      else if (kind === "checkbox") field.checked = !field.defaultChecked;
      else field.value = kind === "select" ? "b" : typed;
}

function wrapText(place: HTMLElement) {
  const texts = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
  const found: Text[] = [];
  while (texts.nextNode()) if (texts.currentNode.nodeValue?.trim()) found.push(texts.currentNode as Text);
  for (const text of found) {
    const font = document.createElement("font");
    text.replaceWith(font);
    font.append(text);
  }
}

describe.each([
  ["as it was written", () => {}],
  ["translated", wrapText],
])("a form that is taken over %s", (_, prepare) => {
  test("keeps typed, chosen and ticked values, also those changed while the island starts", () => {
    const complained = vi.spyOn(console, "error");
    const place = written();
    answer("early");
    const typed = values();
    prepare(place);
    const seen = vi.fn();
    act(() => {
      root = hydrate(place, <Form seen={seen} />);
    });
    expect(values()).toBe(typed);
    expect(seen).toHaveBeenCalledWith(typed);
    expect(complained).not.toHaveBeenCalled();
    answer("late");
    const later = values();
    act(renderAgain);
    expect(values()).toBe(later);
  });

  test.each(["text", "text_filled", "tel", "area", "area_filled"])("keeps focus and caret in %s", (name) => {
    const place = written();
    const [field] = all(name);
    if (!field) throw new Error("no field");
    field.value = "typed early";
    field.focus();
    field.setSelectionRange(2, 5);
    prepare(place);
    act(() => {
      root = hydrate(place, <Form />);
    });
    const [now] = all(name);
    expect(document.activeElement).toBe(now);
    expect([now?.value, now?.selectionStart, now?.selectionEnd]).toEqual(["typed early", 2, 5]);
  });
});

test("a form that differs from its island is reported and rendered again with its input", () => {
  const reported = vi.spyOn(console, "error").mockImplementation(() => {});
  const place = written();
  const label = place.querySelector("label");
  if (!label) throw new Error("no label");
  label.textContent = "Another label";
  answer("early");
  const typed = values();
  act(() => {
    root = hydrate(place, <Form />);
  });
  expect(reported).toHaveBeenCalledWith(
    expect.objectContaining({ message: expect.stringContaining("Hydration failed") }),
  );
  expect(document.body.textContent).not.toContain("Another label");
  expect(values()).toBe(typed);
});
