// The lead: what is kept of an enrolment that is left unfinished.
import { useEffect } from "react";
import { checkOnly, type Values } from "../forms/check.ts";
import { sendLead } from "./calls.ts";
import type { Island } from "./island.ts";
import { envOf, form, type View } from "./view.ts";

/** Sends the lead when the visitor leaves, unless it is for the payment. */
export function useLead(island: Island): void {
  useEffect(() => {
    const send = () => {
      const { view, leaving } = island.state();
      const lead = leadOf(island.fields.values(), view);
      if (lead && !leaving) sendLead(lead);
    };
    addEventListener("pagehide", send);
    return () => removeEventListener("pagehide", send);
  }, [island]);
}

/** Only with consent, and only if one can be reached. */
function leadOf(typed: Values, view: View) {
  const { clean, faults } = checkOnly(form, typed, envOf(view), "fullname", "email", "phone_number", "consents");
  const consents = (clean.consents ?? "").split(",").filter(Boolean);
  if (faults.length > 0 || !consents.includes("reminders")) return null;
  const { fullname, email, phone_number } = clean;
  return { fullname, email, phone_number, scholarship_code: view.code, consents };
}
