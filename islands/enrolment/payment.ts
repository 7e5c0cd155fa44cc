// The last step: sends the form, then starts the payment.
import { check } from "../forms/check.ts";
import { payloadOf } from "../forms/wire.ts";
import { visitSource } from "../runtime/source.ts";
import { enrol, eventOf, startPayment } from "./calls.ts";
import { savePaymentPending } from "./draft.ts";
import type { Island } from "./island.ts";
import { money } from "./money.ts";
import { envOf, form } from "./view.ts";

export async function pay(island: Island): Promise<void> {
  const { view } = island.state();
  const { clean, faults } = check(form, island.fields.values(), envOf(view));
  if (faults.some(({ field }) => field !== "coupon_code")) return island.dispatch({ type: "pressedEarly" });
  island.dispatch({ type: "paymentAsked" });
  if (faults.length > 0) return island.dispatch({ type: "incomplete", faults });
  const source = view.source || visitSource();
  const enrolled = await enrol({
    ...eventOf(view),
    ...payloadOf(form, clean),
    country_code: "+91",
    ...(source && { source }),
  });
  if (!enrolled.ok) return island.dispatch({ type: "paymentRefused", answer: enrolled });
  island.dispatch({ type: "enrolled" });
  savePaymentPending(view.code);
  const { price, choosesWay } = island.state().view;
  if (choosesWay && price.final !== money(0, price.currency)) return island.leaveFor("/pay"); // to choose the method
  const started = await startPayment({
    scholarship_requested_id: enrolled.body.scholarship_requested_id,
    redirection_url: `${location.origin}/success`,
  });
  if (!started.ok) return island.dispatch({ type: "paymentRefused", answer: started });
  const { amount, currency, checkout_url } = started.body.transactionResponse;
  const isAsShown = currency !== price.currency || money(amount, price.currency) === price.final;
  island.leaveFor(isAsShown ? checkout_url : "/pay"); // an earlier open attempt keeps its price, which /pay shows first
}
