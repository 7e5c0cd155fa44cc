// The check of a one-time code.
import { withoutSeparators } from "../forms/phone.ts";
import { checkCode, eventOf } from "./calls.ts";
import { forgetNumber, savePaymentPending } from "./draft.ts";
import type { Island } from "./island.ts";
import { names, type Whose } from "./state.ts";

export async function verify(island: Island, whose: Whose): Promise<void> {
  const { code, label } = names[whose];
  const wire = { phone_otp: code };
  if (island.state().view[whose].ended || !island.ready(code)) return;
  const digits = digitsOf(island.fields.values()[code]);
  const { codes, view } = island.state();
  const { wrong, request } = codes[whose];
  if (wrong?.digits === digits) return island.refused(wrong.answer, code, wire);
  const { requestId, number } = view[whose];
  const answer = await checkCode({
    ...(request ?? { ...eventOf(view), phone_number: number, ...(whose === "guardian" && { purpose: whose }) }),
    request_id: requestId,
    ...(whose === "guardian" ? { guardian_phone: number, guardian_otp: digits } : { phone_otp: digits }),
  });
  if (!answer.ok) {
    if (answer.status === 422 && answer.retryAfter) {
      // The code has ended: only a new one helps.
      island.fields.write(code, "");
      island.dispatch({ type: "codeEnded", whose, message: answer.message, resendAfter: answer.retryAfter });
    } else if (answer.status === 422) island.dispatch({ type: "codeWrong", whose, digits, answer });
    return island.refused(answer, code, wire);
  }
  const { scholarship_requested_id: before, fullname, email } = answer.body;
  if (!before) return island.dispatch({ type: "verified", whose, number });
  const typed = island.fields.values();
  const isAnother = !isSame(typed.fullname, fullname) || !isSame(typed.email, email);
  if (!isAnother) savePaymentPending(view.code);
  const next = isAnother
    ? `This number has enrolled already, for ${fullname}.`
    : "You have enrolled before: your payment is next.";
  island.notify(`${label} verified. ${next}`, "info", code);
  await new Promise((wake) => setTimeout(wake, readingTime));
  if (isAnother) {
    island.dispatch({ type: "enrolled" }); // stops storing the form, which would undo the next line
    forgetNumber(view.code); // the number belongs to another person; the rest of the draft stays
    return island.leaveFor(`/pay?scholarship_requested_id=${before}&typed=another`);
  }
  island.leaveFor("/pay"); // an enrolled visitor continues there
}

/**
 * Reports whether input equals the enrolment's text, ignoring case and repeated spaces. The previous version of the server sends
 * no text; then it counts as equal.
 */
function isSame(typed = "", kept = typed): boolean {
  const [a, b] = [typed, kept].map((text) => text.trim().replace(/\s+/g, " ").toLowerCase());
  return a === b;
}

const readingTime = 1500; // ms, to read the message before the page changes

/** Returns the digits of a code that may have been pasted with spaces or invisible characters. */
export const digitsOf = (text = ""): string => withoutSeparators(text);
