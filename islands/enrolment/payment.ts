// The last step: the form is sent, then its payment is started.
import { check } from "../forms/check.ts";
import { enrol, eventOf, startPayment } from "./calls.ts";
import { savePaymentPending } from "./draft.ts";
import type { Island } from "./island.ts";
import { money } from "./money.ts";
import { envOf, form } from "./view.ts";

/** The fields that go over the wire as they are; the server asks for no other. */
const wireFields = [
  "fullname",
  "email",
  "phone_number",
  "company_name",
  "selected_course",
  "state",
  "referral_code",
  "coupon_code",
  "guardian_name",
  "guardian_phone",
];

export async function pay(island: Island): Promise<void> {
  const { view } = island.state();
  const { clean, faults } = check(form, island.fields.values(), envOf(view));
  island.dispatch({ type: "paymentAsked" });
  if (faults.length > 0) return island.dispatch({ type: "incomplete", faults });
  const enrolled = await enrol({
    ...eventOf(view),
    ...Object.fromEntries(wireFields.map((name) => [name, clean[name] ?? ""]).filter(([, value]) => value !== "")),
    country_code: "+91",
    adult: clean.adult === "true",
    agreed_terms_conditions: true,
    consents: (clean.consents ?? "").split(",").filter(Boolean),
  });
  if (!enrolled.ok) return island.dispatch({ type: "paymentRefused", answer: enrolled });
  island.dispatch({ type: "enrolled" });
  savePaymentPending(view.code);
  const started = await startPayment({
    scholarship_requested_id: enrolled.body.scholarship_requested_id,
    redirection_url: `${location.origin}/success`,
  });
  if (!started.ok) return island.dispatch({ type: "paymentRefused", answer: started });
  const { amount, currency, checkout_url } = started.body.transactionResponse;
  const { price } = island.state().view;
  const isAsShown = currency !== price.currency || money(amount, price.currency) === price.final;
  island.leaveFor(isAsShown ? checkout_url : "/pay"); // an attempt that was open keeps its price: seen before it is paid
}
