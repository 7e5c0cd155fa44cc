// The action of each button and of Enter.

import type { Input } from "../forms/fields.ts";
import { tidyInput } from "../forms/input.ts";
import { digitsOf, verify } from "./codeCheck.ts";
import { resend, sendCode } from "./codeRequest.ts";
import { applyCoupon, removeCoupon } from "./coupon.ts";
import type { Island } from "./island.ts";
import { pay } from "./payment.ts";
import { names, people, type Whose } from "./state.ts";
import { fieldsOf, goesOn, stepOf } from "./steps.ts";

/** Actions by the button's value. */
const actions: Record<string, (island: Island) => Promise<void>> = {
  "send-code": (island) => sendCode(island, "phone"),
  resend: (island) => resend(island, "phone"),
  verify: (island) => verify(island, "phone"),
  "send-guardian-code": (island) => sendCode(island, "guardian"),
  "resend-guardian": (island) => resend(island, "guardian"),
  "verify-guardian": (island) => verify(island, "guardian"),
  "apply-coupon": applyCoupon,
  "remove-coupon": removeCoupon,
  pay,
  "continue-you": (island) => goOn(island, "you"),
  "continue-phone": (island) => goOn(island, "phone"),
  "continue-course": (island) => goOn(island, "course"),
  "change-you": (island) => reopen(island, "you"),
  "change-phone": (island) => reopen(island, "phone"),
  "change-course": (island) => reopen(island, "course"),
  "change-consent": (island) => reopen(island, "consent"),
  async "change-guardian"(island) {
    island.dispatch({ type: "folded", group: "guardian", open: true });
    island.dispatch({ type: "entered", name: "guardian_name" });
  },
  "keep-number": async (island) => keepNumber(island, "phone"),
  "keep-number-guardian": async (island) => keepNumber(island, "guardian"),
  "change-number": async (island) => island.dispatch({ type: "numberWanted", whose: "phone" }),
  "change-number-guardian": async (island) => island.dispatch({ type: "numberWanted", whose: "guardian" }),
};

function keepNumber(island: Island, whose: Whose): void {
  const field = island.fields.find(names[whose].number);
  if (field) edit(island, Object.assign(field, { value: island.state().view[whose].kept }), true);
  if (island.state().view[whose].phase === "sent") island.dispatch({ type: "entered", name: names[whose].code });
}

async function goOn(island: Island, name: string): Promise<void> {
  const step = island.state().view.steps.find((one) => one.name === name);
  if (step && island.ready(...fieldsOf(step).filter((field) => field !== names.phone.code)))
    island.dispatch({ type: "wentOn", step: name });
}

const reopen = async (island: Island, step: string) => island.dispatch({ type: "reopened", step });

export function submit(island: Island, button: string): void {
  const next = button === "enter" && nextFields[nameOf(document.activeElement)];
  const action = button === "enter" && !next ? actionOfEnter(island) : button;
  const work = next ? async () => island.dispatch({ type: "entered", name: next }) : actions[action];
  if (work) void island.run(action, () => work(island));
}

/** Where Enter goes, from a field that is not the last of its step. */
const nextFields: Record<string, string> = {
  adult: "agreed_terms_conditions",
  fullname: "email",
  company_name: "referral_code",
  guardian_name: "guardian_phone",
};

const nameOf = (element: Element | null) => (element instanceof HTMLInputElement ? element.name : "");

/** Returns the action of Enter in a field. */
function actionOfEnter(island: Island): string {
  const { phone, guardian, price } = island.state().view;
  const field = document.activeElement;
  switch (nameOf(field)) {
    case "phone_number":
      return phone.phase === "none" ? "send-code" : "continue-phone";
    case "guardian_phone":
    case "guardian_birth_year":
      return guardian.phase === "none" ? "send-guardian-code" : "pay";
    case "otp":
      return "verify";
    case "guardian_otp":
      return "verify-guardian";
    case "coupon_code":
      return price.coupon || !island.fields.find("coupon_code")?.value ? "pay" : "apply-coupon";
  }
  const { view } = island.state();
  const step = field instanceof HTMLElement && "name" in field ? stepOf(view, String(field.name)) : undefined;
  return step && goesOn(view, step) ? `continue-${step.name}` : "pay";
}

/** Handles a change of a field by the visitor or the browser. A complete code is checked at once. */
export function edit(island: Island, field: Input, byVisitor: boolean, value = field.value): void {
  const { name } = field;
  if (field instanceof HTMLInputElement) tidyInput(field);
  island.dispatch({ type: "edited", name, value: field.type === "radio" ? value : field.value, byVisitor });
  for (const whose of people) {
    const { code, verify } = names[whose];
    if (name === code && digitsOf(field.value).length === 6 && island.state().view[whose].phase === "sent")
      submit(island, verify);
  }
}
