// @vitest-environment node
import { describe, expect, test } from "vitest";
import type { Form } from "./check.ts";
import fixture from "./testdata/groups.json";
import { fromWire, payloadOf } from "./wire.ts";

const form: Form = fixture.form;

describe("the call that sends a form", () => {
  const wired: Form = {
    ...form,
    fields: [
      ...form.fields,
      { name: "code", label: "Code", kind: "otp", group: "last", keep: "none", wire: "phone_otp", unsent: true },
      { name: "inner", label: "Inner", kind: "text", group: "last", keep: "answers", wire: "outer" },
    ],
  };

  test("contains non-empty texts, boxes as true or false, and lists", () => {
    const clean = { who: "me", why: "", all: "b", yes: "", end: "1", code: "123456", inner: "x" };
    expect(payloadOf(wired, clean)).toEqual({ who: "me", all: ["b"], yes: false, end: "1", outer: "x" });
    expect(payloadOf(wired, { all: "", yes: "true" })).toEqual({ all: [], yes: true }); // the other fields do not apply
  });

  test("omits an unanswered yes/no question", () => {
    const asked: Form = {
      ...form,
      fields: [{ name: "own", label: "Own", kind: "yesno", group: "last", keep: "answers" }],
    };
    const sent = ["", "false", "true"].map((own) => payloadOf(asked, { own }));
    expect(sent).toEqual([{}, { own: false }, { own: true }]);
  });

  test("has errors by wire name", () => {
    expect(["phone_otp", "outer", "who", "captcha_token"].map((name) => fromWire(wired, name))).toEqual([
      "code",
      "inner",
      "who",
      "captcha_token",
    ]);
  });
});
