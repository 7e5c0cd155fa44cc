// Checks each line of standard input and prints the result: the browser's half of TestGoAndTypeScriptAgree.
import { createInterface } from "node:readline";
import countries from "../../forms/countries.json";
import { check, checkOnly, checkStep, type Env, type Values, warnings } from "./check";
import { shipped } from "./shipped";

interface Question {
  form: string;
  step: string;
  only: string[] | null;
  input: Values;
  env: Env;
}

for await (const line of createInterface({ input: process.stdin })) {
  const { form: name, step, only, input, env }: Question = JSON.parse(line);
  const form = shipped[name];
  if (form === undefined) throw new Error(`no form ${name}`);
  const around = { ...env, countries };
  const judged = () => (step ? checkStep(form, step, input, around) : check(form, input, around));
  const outcome = only ? checkOnly(form, input, around, ...only) : judged();
  process.stdout.write(`${JSON.stringify({ ...outcome, warnings: warnings(form, input, around) })}\n`);
}
