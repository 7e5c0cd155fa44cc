import { renderToString } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { checkStep, type Fault, type Form, type Option, type Values } from "./check.ts";
import { Groups } from "./Groups.tsx";
import { openGroups, watched } from "./layout.ts";
import { canonical, parse } from "./markup.ts";
import fixture from "./testdata/groups.json";

interface Case {
  name: string;
  step: string;
  states: Option[] | null;
  scope: string;
  place: string;
  values: Values | null;
  faults: Fault[] | null;
  open: string[] | null;
  html: string;
}

const form: Form = fixture.form;
const cases = fixture.cases as Case[]; // Go writes them: go test ./components -update

describe("React draws a form's groups as templ does", () => {
  test.each(cases)("$name", ({ step, states, scope, place, values, faults, open, html }) => {
    const env = { options: { states: states ?? [] } };
    const state = { form, step, scope, env, values: values ?? {}, faults: faults ?? [], open: open ?? [] };
    const drawn = renderToString(<Groups state={state} place={place} />);
    expect(canonical(parse(drawn))).toEqual(canonical(parse(html)));
  });
});

test("an island adds to fields and groups, and leaves fields out", () => {
  const state = { form, env: {}, values: {}, faults: [], open: [] };
  const special = {
    who: { change: { verified: "Known" }, below: <p>below who</p> },
    why: { absent: true },
    folded: { below: <p>below all</p> },
  };
  const root = parse(renderToString(<Groups state={state} place="fields" special={special} />));
  expect(root.querySelector("[data-field=why]")).toBeNull();
  expect(root.querySelector("[data-field=who] .verified")?.textContent).toBe("Known");
  expect(root.querySelector("[data-field=who]")?.lastElementChild?.textContent).toBe("below who");
  expect(root.querySelector("details .fields")?.lastElementChild?.textContent).toBe("below all");
});

test("a folded group with input or errors is open", () => {
  expect(openGroups(form, {}, [])).toEqual([]);
  expect(openGroups(form, { who: "me", end: "1" }, [])).toEqual([]);
  expect(openGroups(form, { yes: "true", tel: "1" }, [])).toEqual(["folded", "free"]);
  expect(openGroups(form, {}, [{ field: "all", message: "!" }])).toEqual(["free"]);
});

test("fields that others depend on are watched", () => expect([...watched(form)]).toEqual(["who", "why"]));

test("a step is checked by itself", () => {
  const strict: Form = {
    ...form,
    fields: form.fields.map((field) => ({ ...field, rules: [{ kind: "required", message: `${field.label}!` }] })),
  };
  const required = strict.fields.map((field) => ({ ...field, optional: false }));
  const { clean, faults } = checkStep({ ...strict, fields: required }, "two", {}, {});
  expect(Object.keys(clean)).toEqual(["end"]);
  expect(faults).toEqual([{ field: "end", message: "End!" }]);
  expect(checkStep(strict, "none", {}, {})).toEqual({ clean: {}, faults: [] });
});
