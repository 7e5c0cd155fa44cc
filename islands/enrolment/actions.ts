// What each button of the form does, and which of them Enter stands for.
import { digitsOf, verify } from "./codeCheck.ts";
import { resend, sendCode } from "./codeRequest.ts";
import { applyCoupon, removeCoupon } from "./coupon.ts";
import type { Input } from "./fields.ts";
import { tidyInput } from "./input.ts";
import type { Island } from "./island.ts";
import { pay } from "./payment.ts";
import { names, people } from "./state.ts";

/** By the value of the button. */
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
};

export function submit(island: Island, button: string): void {
  const action = button === "enter" ? actionOfEnter(island) : button;
  const work = actions[action];
  if (work) void island.run(action, () => work(island));
}

/** The Enter key does what the field that it was pressed in is there for. */
function actionOfEnter(island: Island): string {
  const { phone, guardian, price } = island.state().view;
  const field = document.activeElement;
  switch (field instanceof HTMLInputElement ? field.name : "") {
    case "phone_number":
      return phone.phase === "none" ? "send-code" : "pay";
    case "guardian_phone":
      return guardian.phase === "none" ? "send-guardian-code" : "pay";
    case "otp":
      return "verify";
    case "guardian_otp":
      return "verify-guardian";
    case "coupon_code":
      return price.coupon || !island.fields.find("coupon_code")?.value ? "pay" : "apply-coupon";
  }
  return "pay";
}

/** A field has another value: typed, or written by the browser. A code is checked as soon as it is whole. */
export function edit(island: Island, field: Input, byVisitor: boolean): void {
  const { name } = field;
  if (field instanceof HTMLInputElement) tidyInput(field);
  island.dispatch({ type: "edited", name, value: field.value, byVisitor });
  for (const whose of people) {
    const { code, verify } = names[whose];
    if (name === code && digitsOf(field.value).length === 6 && island.state().view[whose].phase === "sent")
      submit(island, verify);
  }
}
