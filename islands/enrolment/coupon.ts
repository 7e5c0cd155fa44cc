// The coupon: applied when its button is pressed, and again after a reload.
import { checkOnly } from "../forms/check.ts";
import type { Answer } from "../runtime/api.ts";
import { eventOf, priceWithCoupon } from "./calls.ts";
import type { Island } from "./island.ts";
import { faultsOf } from "./judge.ts";
import { money } from "./money.ts";
import { form } from "./view.ts";

const field = "coupon_code";
const unknown = form.fields.find(({ name }) => name === field)?.rules?.[0]?.message ?? "";

export async function applyCoupon(island: Island): Promise<void> {
  const { clean } = checkOnly(form, island.fields.values(), {}, field);
  const coupon = clean[field] ?? "";
  if (!island.ready(field)) return;
  if (!coupon) return island.dispatch({ type: "faulted", faults: [{ field, message: unknown }], focus: field });
  const answer = await ask(island, coupon);
  if (!answer.ok) return island.refused(answer, field);
  island.dispatch({ type: "wentToPay" });
}

/** Applies the coupon of a draft or of the address at the server's price. The focus stays, because nothing was pressed. */
export async function reapplyCoupon(island: Island, coupon: string): Promise<void> {
  const answer = await ask(island, coupon);
  if (!answer.ok) island.dispatch({ type: "faulted", faults: faultsOf(answer) });
}

async function ask(island: Island, coupon: string): Promise<Answer> {
  const { view } = island.state();
  const { currency } = view.price;
  const amount = Number(view.price.amount);
  const answer = await priceWithCoupon({ ...eventOf(view), coupon_code: coupon, amount });
  if (!answer.ok) return answer;
  const final = answer.body.data.final_amount;
  island.fields.write(field, coupon);
  island.dispatch({
    type: "couponApplied",
    coupon,
    final: money(final, currency),
    saved: money(amount - final, currency),
  });
  return answer;
}

/** Removes the coupon. If it was never applied, the form also continues. */
export async function removeCoupon(island: Island): Promise<void> {
  const counted = Boolean(island.state().view.price.coupon);
  island.fields.write(field, "");
  island.dispatch({ type: counted ? "couponRemoved" : "couponLeftOut" });
}
