// Looks up the referral code when the visitor leaves its field.
import { checkOnly } from "../forms/check.ts";
import { checkReferral } from "./calls.ts";
import type { Island } from "./island.ts";
import { form } from "./view.ts";

const field = "referral_code";

/** Looks up the field's code, unless it is being typed or was looked up already. Ignores the response if the code has changed since. */
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
  else island.dispatch({ type: "referralAsked", code: "" }); // unreachable or rate-limited: the server checks it when the form is sent
}
