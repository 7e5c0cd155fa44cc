import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { currency, natural, ownAddress, parseJSON } from "./schema.ts";

describe("JSON from outside", () => {
  const person = z.object({ name: z.string() });
  test.each([
    ["of the schema's shape is what it holds", '{"name":"Asha","more":1}', { name: "Asha" }],
    ["of another shape is nothing", '{"name":7}', undefined],
    ["that is null is nothing", "null", undefined],
    ["that is none is nothing", "<html>", undefined],
    ["that is empty is nothing", "", undefined],
  ])("%s", (_, text, value) => expect(parseJSON(person, text)).toEqual(value));
});

describe("an address", () => {
  test.each([
    ["/checkout/t1", true],
    ["/success?kspay_id=t1#top", true],
    [`${location.origin}/success?kspay_id=t1`, true],
    ["", false],
    ["checkout/t1", false],
    ["//elsewhere.example/", false],
    ["/\\elsewhere.example/", false],
    ["/\t/elsewhere.example/", false],
    [`${location.origin}.elsewhere.example/`, false],
    [`${location.origin}//elsewhere.example/`, false],
    ["https://elsewhere.example/", false],
    ["javascript:alert(1)", false],
  ])("%j is our own: %s", (text, own) => expect(ownAddress.safeParse(text).success).toBe(own));
});

test.each(["", "inr", "INRS", "₹"])("%j is no currency", (text) => {
  expect(currency.safeParse(text).success).toBe(false);
});

test.each([
  [0, true],
  [749.5, true],
  [-1, false],
  [Number.POSITIVE_INFINITY, false],
  ["1", false],
])("%j is an amount: %s", (value, is) => expect(natural.safeParse(value).success).toBe(is));

describe("the code of the islands", () => {
  const folder = `${import.meta.dirname}/..`;
  const boundary = "runtime/schema.ts";
  const sources = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (file) => /\.tsx?$/.test(file) && !/(\.test|\/fixture)\.tsx?$/.test(file) && file !== "forms/agree.ts", // the tool of a Go test
  );

  /** Finds casts of external data outside the boundary. */
  function casts(source: string): string[] {
    const code = source.replace(/\/\*[\s\S]*?\*\/|\/\/.*|^(import|export) [^;]*? from .*|"[^"\n]*"/gm, "");
    return code.match(/JSON\.parse\(|\.json\(|\bas (any|unknown|[A-Z{])|<any>/g) ?? [];
  }

  test.each([
    ["const view: View = JSON.parse(text);", ["JSON.parse("]],
    ['const todo = "Save it as PDF.";', []],
    ["const wire = await response.json();", [".json("]],
    ["const { status } = (event as CustomEvent).detail;", ["as C"]],
    ["const check = text as unknown as { a: string };", ["as unknown", "as {"]],
    ["const order = [1, 2] as const; // as Number", []],
    ['import * as Z from "zod";\nimport {\n  a as B,\n} from "./a.ts";', []],
  ])("%j would be found out", (source, found) => expect(casts(source)).toEqual(found));

  test("is read from its folder", () => expect(sources).toContain("enrolment/calls.ts"));

  test.each(sources.filter((file) => file !== boundary))("%s casts nothing that comes from outside", (file) => {
    const source = readFileSync(`${folder}/${file}`, "utf8");
    expect(casts(source)).toEqual([]);
    // Otherwise a schema may be created before zod is configured not to use eval.
    const declaresSchemas = source.includes('from "zod/');
    expect(declaresSchemas && !/ from "[^"]*\/(schema|api)(\.ts)?";/.test(source)).toBe(false);
  });
});
