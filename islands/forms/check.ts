// The browser's interpreter of forms/*.json. forms/rules.go is the server's; forms/cases.json and a fuzz test keep them equal.
import patternSources from "../../forms/patterns.json";
import { asciiDigits, examYears, isDate, isPast, tidyAmount, tidyDate, tidyPercentage, under } from "./date";
import { tenDigits } from "./phone";

export interface Option {
  value: string;
  label: string;
  text?: string | undefined;
  pins?: string[] | undefined;
}

/** A condition on an earlier field. */
export interface When {
  field?: string | undefined;
  is?: string | undefined;
  not?: string | undefined;
  same?: string | undefined;
  under?: number | undefined;
  notUnder?: number | undefined;
  unproven?: string | undefined;
}

export interface Rule {
  kind: string;
  message: string;
  min?: number | undefined;
  max?: number | undefined;
  pattern?: string | undefined;
  field?: string | undefined;
  when?: When[] | undefined;
}

/** forms.Field in Go documents each property. */
export interface Field {
  name: string;
  label: string;
  short?: string | undefined;
  kind: string;
  group: string;
  keep: string;
  wire?: string | undefined;
  unsent?: boolean | undefined;
  half?: boolean | undefined;
  autocomplete?: string | undefined;
  inputmode?: string | undefined;
  prefix?: string | undefined;
  hint?: string | undefined;
  value?: string | undefined;
  optional?: boolean | undefined;
  maxlength?: number | undefined;
  options?: Option[] | undefined;
  optionsFrom?: string | undefined;
  country?: string | undefined;
  when?: When[] | undefined;
  clean?: string[] | undefined;
  rules?: Rule[] | undefined;
  warn?: Rule[] | undefined;
}

/** Adjacent fields. */
export interface Group {
  name: string;
  kind: string;
  place: string;
  summary?: string | undefined;
  when?: When[] | undefined;
}

/** One page of a form. */
export interface Step {
  name: string;
  title?: string | undefined;
  groups: Group[];
}

export interface Form {
  name: string;
  steps: Step[];
  fields: Field[];
  facts?: string[] | undefined;
}

export interface Country {
  code: string;
  name: string;
  /** Other names that people search for. */
  also?: string[];
  dial: string;
  min: number;
  max: number;
}

export type Values = Record<string, string>;

export interface Fault {
  field: string;
  message: string;
}

/** What a check needs besides the form. Only a form with a country field needs the countries. */
export interface Env {
  options?: Record<string, Option[]>;
  /** Values that the server has confirmed, by field: a verified phone, an applied coupon. */
  proven?: Values;
  countries?: Country[];
  /** YYYY-MM-DD in Asia/Kolkata, from the server. */
  today?: string;
  /** The server's facts about the visitor, by their names in the form. */
  facts?: Values;
}

export interface Outcome {
  /** Clean values of all applicable fields. */
  clean: Values;
  /** Errors in the fields' order, at most one per field. */
  faults: Fault[];
}

/** Checks the whole form. */
export function check(form: Form, input: Values, env: Env): Outcome {
  return judge(form, input, env, true, () => true);
}

/** Checks some fields without rules of kind "proven", which "Send code" or "Apply" fulfil. */
export function checkOnly(form: Form, input: Values, env: Env, ...fields: string[]): Outcome {
  return judge(form, input, env, false, (name) => fields.includes(name));
}

/** Checks the fields of one step. Rules and conditions may read the other fields. */
export function checkStep(form: Form, step: string, input: Values, env: Env): Outcome {
  const groups = form.steps.find(({ name }) => name === step)?.groups.map(({ name }) => name) ?? [];
  const names = form.fields.filter(({ group }) => groups.includes(group)).map(({ name }) => name);
  return judge(form, input, env, true, (name) => names.includes(name));
}

/** Reports whether conditions hold for the clean values of applicable fields, as if nothing were verified. */
export const holds = (form: Form, conditions: When[], input: Values, env: Env): boolean =>
  all(conditions, viewOf(form, input, { ...env, proven: {} }, false));

const tidied = (field: Field, input: Values, see: View): string =>
  (field.clean ?? []).reduce((text, step) => named(steps, step)(text, field, see), legible(input[field.name] ?? ""));

/**
 * Removes invisible characters of pasted text: direction and zero-width marks, soft hyphens, joiners after a letter that does not
 * join, and Hangul fillers. Replaces no-break spaces and hyphens by ordinary ones.
 */
const legible = (value: string): string =>
  value
    .replace(/[\u00ad\u061c\u115f\u1160\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\u3164\ufeff\uffa0]/g, "")
    .replace(/[\u00a0\u2007\u202f]/g, " ")
    .replace(/[\u2010\u2011]/g, "-")
    .replace(/(^|[^\u0600-\uffff])[\u200c\u200d]+/g, "$1");

/** Returns warnings about the applicable fields without errors. They do not block the form. */
export function warnings(form: Form, input: Values, env: Env): Fault[] {
  const found: Fault[] = [];
  const see = viewOf(form, input, env, false);
  for (const field of form.fields) {
    const value = see.values[field.name];
    if (value === undefined || !field.warn || fault(field, value, see)) continue;
    const rule = failing(field.warn, field, value, see);
    if (rule)
      found.push({ field: field.name, message: rule.message.replaceAll("{choice}", () => chosen(form, rule, see)) });
  }
  return found;
}

/** Returns the label of the chosen option in a rule's field. */
function chosen(form: Form, rule: Rule, { env, values }: View): string {
  const field = form.fields.find(({ name }) => name === rule.field);
  return (field && choices(field, env).find(({ value }) => value === values[field.name])?.label) ?? "";
}

/** Returns a field's error message; "" if it is valid. */
export function checkField(form: Form, name: string, input: Values, env: Env): string {
  return checkOnly(form, input, env, name).faults[0]?.message ?? "";
}

/** Reports whether the field applies, given the values of the fields before it. */
export function applies(form: Form, name: string, input: Values, env: Env): boolean {
  return name in checkOnly(form, input, env, name).clean;
}

/** Returns the options of a select or of checkboxes. */
export function choices(field: Field, env: Env): Option[] {
  if (field.optionsFrom === "countries")
    return (env.countries ?? []).map(({ code, name }) => ({ value: code, label: name }));
  if (field.optionsFrom === "years") return examYears(env.today ?? "");
  return field.options ?? env.options?.[field.optionsFrom ?? ""] ?? [];
}

function judge(form: Form, input: Values, env: Env, whole: boolean, wanted: (name: string) => boolean): Outcome {
  const clean: Values = {};
  const faults: Fault[] = [];
  const see = viewOf(form, input, env, whole);
  for (const field of form.fields) {
    const value = see.values[field.name];
    if (value === undefined || !wanted(field.name)) continue;
    clean[field.name] = value;
    const message = fault(field, value, see);
    if (message) faults.push({ field: field.name, message });
  }
  return { clean, faults };
}

/** Context of a rule: the environment and the clean values of the fields that apply. */
interface View {
  env: Env;
  whole: boolean;
  values: Partial<Values>;
}

/** Returns the context of the form's rules. Whether a field applies depends on the fields before it. */
function viewOf(form: Form, input: Values, env: Env, whole: boolean): View {
  const facts = Object.fromEntries((form.facts ?? []).map((fact) => [fact, env.facts?.[fact] ?? ""]));
  const see: View = { env, whole, values: facts };
  for (const field of form.fields) if (all(field.when, see)) see.values[field.name] = tidied(field, input, see);
  return see;
}

/**
 * Returns the message of the first rule that fails; later rules may rely on earlier ones. Rules are interpreted, as in
 * forms/rules.go, rather than compiled to a zod schema: they depend on earlier fields and confirmations, so each value would need
 * a new schema. zod parses external data (runtime/schema.ts).
 */
function fault(field: Field, value: string, see: View): string {
  if (value === "" && field.optional) return "";
  const failed = failing(field.rules, field, value, see);
  return failed ? message(failed, field, value, see) : "";
}

const failing = (rules: Rule[] | undefined, field: Field, value: string, see: View): Rule | undefined =>
  rules?.find((rule) => all(rule.when, see) && !named(kinds, rule.kind)(value, rule, field, see));

function message(rule: Rule, field: Field, value: string, see: View): string {
  if (rule.kind === "signs") return rule.message.replace("{sign}", () => refusedSign(rule, value) ?? "");
  if (rule.kind !== "range") return rule.message;
  const { min, max } = country(field, see);
  if (min === max) return rule.message.replace("between {min} and {max}", `exactly ${max}`);
  return rule.message.replace("{min}", String(min)).replace("{max}", String(max));
}

function all(conditions: When[] | undefined, see: View): boolean {
  return (conditions ?? []).every(({ field = "", is, not, same, under: age, notUnder, unproven }) => {
    const value = see.values[field] ?? "";
    const today = see.env.today ?? "";
    if ((age && !under(age, value, today)) || (notUnder && under(notUnder, value, today))) return false;
    if (same && (value === "" || value !== see.values[same])) return false;
    return !((is && value !== is) || (not && value === not) || (unproven && proven(unproven, see)));
  });
}

function proven(field: string, see: View): boolean {
  const value = see.values[field] ?? "";
  return value !== "" && value === see.env.proven?.[field];
}

function country(field: Field, see: View): Pick<Country, "dial" | "min" | "max"> {
  const code = see.values[field.country ?? ""];
  return see.env.countries?.find((one) => one.code === code) ?? { dial: "", min: 4, max: 15 };
}

function named<T>(table: Record<string, T>, name: string): T {
  const entry = table[name];
  if (entry === undefined) throw new Error(`forms: nothing is called ${name}`);
  return entry;
}

const patterns: Record<string, RegExp> = Object.fromEntries(
  Object.entries(patternSources).map(([name, source]) => [name, new RegExp(source, "u")]),
);

const codePoints = (text: string): number => [...text].length;

/** Returns the first character that the pattern of a rule of kind "signs" refuses. */
const refusedSign = ({ pattern = "" }: Rule, value: string): string | undefined =>
  [...value].find((sign) => !named(patterns, pattern).test(sign));

const kinds: Record<string, (value: string, rule: Rule, field: Field, see: View) => boolean> = {
  required: (value) => value !== "",
  length: (value, { min = 0, max = 0 }) => codePoints(value) >= min && (max === 0 || codePoints(value) <= max),
  signs: (value, rule) => refusedSign(rule, value) === undefined,
  pattern: (value, rule) => named(patterns, rule.pattern ?? "").test(value),
  unlike: (value, { pattern = "" }) => !named(patterns, pattern).test(value.toLowerCase()),
  option: (value, _, field, see) => isOption(choices(field, see.env), value),
  options: (value, _, field, see) => value.split(",").every((ticked) => isOption(choices(field, see.env), ticked)),
  unrepeated: (value) => !/^([0-9])\1+$/.test(value),
  range: (value, _, field, see) => {
    const { min, max } = country(field, see);
    return /^[0-9]*$/.test(value) && value.length >= min && value.length <= max;
  },
  after: (_, rule, __, see) => Boolean(see.values[rule.field ?? ""]),
  differs: (value, rule, _, see) => (see.values[rule.field ?? ""] ?? "") !== value,
  proven: (_, rule, __, see) => !see.whole || proven(rule.field ?? "", see),
  cardless: (value) => !holdsCard(value),
  date: (value) => isDate(value),
  past: (value, _, __, see) => isPast(value, see.env.today ?? ""),
  number: (value, { min = 0, max = 0 }) => {
    const figures = /^[0-9]+(?:\.[0-9]+)?/.exec(value)?.[0];
    return figures !== undefined && Number(figures) >= min && (max === 0 || Number(figures) <= max);
  },
  "years ago": (value, { min = 0, max = 0 }, _, see) => {
    const ago = Number((see.env.today ?? "").slice(0, 4)) - Number(value);
    return /^[0-9]{4}$/.test(value) && ago >= min && (max === 0 || ago <= max);
  },
  pin: (value, rule, _, see) => {
    const state = see.env.options?.states?.find((option) => option.value === see.values[rule.field ?? ""]);
    return !state?.pins?.length || !/^[0-8][0-9]{5}$/.test(value) || state.pins.includes(value.slice(0, 2));
  },
};

const isOption = (options: Option[], value: string): boolean => options.some((option) => option.value === value);

/** Reports whether a text has a card number, as forms/card.go does. */
function holdsCard(text: string): boolean {
  const inRows = (rows: RegExp, sizes: RegExp): boolean =>
    (asciiDigits(text).match(rows) ?? []).some((row) => {
      const groups = row.split(/[^0-9]+/);
      return groups.some((_, first) =>
        groups.some((_, last) => {
          const some = groups.slice(first, last + 1);
          const card = some.join("");
          return (
            card.length > 12 && card.length < 20 && sizes.test(`${some.map((group) => group.length)}`) && luhn(card)
          );
        }),
      );
    });
  return (
    inRows(/[0-9]+(?:[^\p{L}\p{N}\n]{1,3}[0-9]+)+/gu, /^4,(4,4,[1-7]|6,[45])$/) ||
    inRows(/[0-9]+(?:[\p{Zs}\p{Pd}\u2212\u200b-\u200d]+[0-9]+)*/gu, /^/)
  );
}

function luhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const twice = Number(digit) * (1 + (place % 2));
    return total + (twice > 9 ? twice - 9 : twice);
  }, 0);
  return sum % 10 === 0;
}

const steps: Record<string, (value: string, field: Field, see: View) => string> = {
  trim: (value) => value.replace(/^[ \t\n\v\f\r]+|[ \t\n\v\f\r\u200c]+$/g, ""),
  upper: (value) => value.replace(/[a-z]/g, (letter) => letter.toUpperCase()),
  lower: (value) => value.replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
  digits: asciiDigits,
  apostrophe: (value) => value.replace(/[`\u00b4\u02b9\u02bc\u2018\u2019\u201b\u2032\uff07]/g, "'"),
  hyphen: (value) => value.replace(/[\u2012-\u2015\u2043\u2212\ufe58\ufe63\uff0d]/g, "-"),
  lines: (value) => value.replace(/\r\n?/g, "\n"),
  printable: (value) => [...value].filter((c) => (c >= " " && c !== "\x7f") || c === "\n" || c === "\t").join(""),
  compact: (value) => value.replace(/[ \t\n\v\f\r.()-]/g, ""),
  default: (value, field) => value || (field.value ?? ""),
  box: (value) => (value === "true" ? value : ""),
  sorted: (value, field, see) => {
    const ticked = new Set(value.split(",").filter(Boolean));
    const known = choices(field, see.env).map((option) => option.value);
    return [...new Set([...known.filter((one) => ticked.has(one)), ...ticked])].join(",");
  },
  national: (value, field, see) => {
    if (see.values[field.country ?? ""] === "in") return tenDigits(value);
    const { dial, max } = country(field, see);
    const digits = value.replace(/^\+/, "");
    return codePoints(digits) > max && digits.startsWith(dial) ? digits.slice(dial.length) : digits;
  },
  tenDigits: (value) =>
    value.includes("@") ? value.replace(/^[ \t\n\v\f\r]+|[ \t\n\v\f\r]+$/g, "") : tenDigits(value),
  dialCode: (_, field, see) => country(field, see).dial,
  date: tidyDate,
  amount: tidyAmount,
  percentage: tidyPercentage,
};
