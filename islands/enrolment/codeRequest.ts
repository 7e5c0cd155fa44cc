// Requests and resends the one-time code of a phone.
import { eventOf, requestCode, resendCode } from "./calls.ts";
import { fromStored } from "./draft.ts";
import type { Island } from "./island.ts";
import { names, type Whose } from "./state.ts";
import { mobile, waitText } from "./steps.ts";

export async function sendCode(island: Island, whose: Whose): Promise<void> {
  const { number, before, code } = names[whose];
  const { resendAfter } = island.state().view[whose];
  if (resendAfter > 0) return; // the wait is shown
  if (!island.ready(...before)) return;
  const values = island.fields.values();
  const { email = "", phone_number = "", [number]: to = "" } = values;
  const { earlier } = island.state().codes[whose];
  if (earlier && fromStored(earlier, to, Date.now()).phase === "sent")
    return island.dispatch({ type: "codeWanted", whose }); // a code that still counts: shows its field again
  const request = {
    ...eventOf(island.state().view),
    ...(whose === "guardian" ? { purpose: "guardian", guardian_phone: to } : { email }),
    phone_number,
    country_code: "+91",
  };
  const student = { fullname: values.fullname, guardian_shares_phone: values.guardian_shares_phone === "true" };
  const { view, codes } = island.state();
  const work = view[whose].why ? codes[whose].work : null;
  const answer = await requestCode(whose === "guardian" ? { ...request, ...student } : request, work);
  if (answer.status === 402) return island.dispatch({ type: "verified", whose, number: to });
  if (!answer.ok && answer.status === 429 && answer.retryAfter > 0) {
    const [why = ""] = answer.message.split(" Please wait");
    const resendAfter = answer.challenge ? 0 : answer.retryAfter;
    return island.dispatch({ type: "codeLimited", whose, number: to, resendAfter, why, work: answer.challenge });
  }
  if (!answer.ok) return island.refused(answer, number);
  const { request_id, resend_after, expires_in } = answer.body;
  island.dispatch({
    type: "codeSent",
    whose,
    number: to,
    requestId: request_id,
    resendAfter: resend_after,
    expiresAt: Date.now() + expires_in * 1000,
    request,
  });
  island.notify(`Code sent to ${mobile(to)}.`, "done", code);
}

export async function resend(island: Island, whose: Whose): Promise<void> {
  const { code } = names[whose];
  const { requestId, resendAfter } = island.state().view[whose];
  if (resendAfter > 0)
    return island.notify(`You can ask for the code again in ${waitText(resendAfter)}.`, "info", code);
  const answer = await resendCode(requestId);
  if (answer.retryAfter > 0) island.dispatch({ type: "resendLimited", whose, resendAfter: answer.retryAfter });
  if (!answer.ok) return island.refused(answer, code, { phone_otp: code });
  const { resend_after, expires_in } = answer.body;
  island.fields.write(code, "");
  island.dispatch({
    type: "codeResent",
    whose,
    resendAfter: resend_after,
    expiresAt: Date.now() + expires_in * 1000,
  });
}
