// The lead: stored data of an abandoned enrolment.
import { useEffect } from "react";
import { checkOnly, type Values } from "../forms/check.ts";
import { prepareBeacon } from "../runtime/api.ts";
import { sendLead } from "./calls.ts";
import type { Island } from "./island.ts";
import { envOf, form, type View } from "./view.ts";

/**
 * Sends the lead when the visitor leaves, except to the payment. Solves the human check, which takes a moment, as soon as the
 * form has something that may be stored.
 */
export function useLead(island: Island): void {
  useEffect(() => {
    const found = () => {
      const { view, leaving } = island.state();
      return leaving ? null : leadOf(island.fields.values(), view);
    };
    const prepare = () => {
      if (found()) void prepareBeacon();
    };
    const send = () => {
      const lead = found();
      if (lead) sendLead(lead);
    };
    addEventListener("change", prepare);
    addEventListener("pagehide", send);
    return () => {
      removeEventListener("change", prepare);
      removeEventListener("pagehide", send);
    };
  }, [island]);
}

/** Returns the lead; null without consent to reminders, or unless name, e-mail and phone are valid. */
function leadOf(typed: Values, view: View) {
  const { clean, faults } = checkOnly(form, typed, envOf(view), "fullname", "email", "phone_number", "consents");
  const consents = (clean.consents ?? "").split(",").filter(Boolean);
  if (faults.length > 0 || !consents.includes("reminders")) return null;
  const { fullname, email, phone_number } = clean;
  return { fullname, email, phone_number, scholarship_code: view.code, consents };
}
