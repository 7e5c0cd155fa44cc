// Answers each line of standard input with what check says of it: the browser's half of TestGoAndTypeScriptAgree.
import { createInterface } from "node:readline";
import countries from "../../forms/countries.json";
import enquiry from "../../forms/enquiry.json";
import enrolment from "../../forms/enrolment.json";
import grievance from "../../forms/grievance.json";
import hiresure from "../../forms/hiresure.json";
import signIn from "../../forms/sign-in.json";
import signUp from "../../forms/sign-up.json";
import { check, checkOnly, type Env, type Form, type Values, warnings } from "./check";

interface Question {
  form: string;
  only: string[] | null;
  input: Values;
  env: Env;
}

const forms: Record<string, Form> = { enquiry, enrolment, grievance, hiresure, "sign-in": signIn, "sign-up": signUp };

for await (const line of createInterface({ input: process.stdin })) {
  const { form: name, only, input, env }: Question = JSON.parse(line);
  const form = forms[name];
  if (form === undefined) throw new Error(`no form ${name}`);
  const around = { ...env, countries };
  const outcome = only ? checkOnly(form, input, around, ...only) : check(form, input, around);
  process.stdout.write(`${JSON.stringify({ ...outcome, warnings: warnings(form, input, around) })}\n`);
}
