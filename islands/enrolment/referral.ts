// The referral code: asked about when its field is left.
import { checkOnly } from "../forms/check.ts";
import { checkReferral } from "./calls.ts";
import type { Island } from "./island.ts";
import { form } from "./view.ts";

const field = "referral_code";

/** Asks about the code that stands there, unless that is done or it is still being typed. An answer counts only while its code still stands there. */
export async function askReferral(island: Island): Promise<void> {
  const current = () => checkOnly(form, island.fields.values(), {}, field);
  const { clean, faults } = current();
  const code = clean[field];
  const { referralAsked, serverFaults } = island.state();
  if (document.activeElement === island.fields.find(field)) return;
  if (!code || faults.length > 0 || code === referralAsked || serverFaults.has(field)) return;
  island.dispatch({ type: "referralAsked", code });
  const answer = await checkReferral(code);
  if (current().clean[field] !== code) return;
  const message = answer.errors[field];
  if (answer.ok) island.dispatch({ type: "referralApplied", code, message: answer.message });
  else if (message) island.dispatch({ type: "faulted", faults: [{ field, message }], status: message });
  else island.dispatch({ type: "referralAsked", code: "" }); // not reached, or limited: judged when the form is sent
}
