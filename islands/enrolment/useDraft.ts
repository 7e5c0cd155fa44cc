import { useLayoutEffect } from "react";
import type { Fault } from "../forms/check.ts";
import { restore } from "../forms/fields.ts";
import { edit } from "./actions.ts";
import { reapplyCoupon } from "./coupon.ts";
import { type Draft, isPaymentPending, loadDraft, saveDraft, toStored } from "./draft.ts";
import type { Island } from "./island.ts";
import { askReferral } from "./referral.ts";
import { form, watchedFields } from "./view.ts";

/**
 * Starts the island with the form's values, restores the draft of an earlier page, and then stores every change.
 * @param faults errors that the server has rendered
 * @param unfolded groups that the visitor had already unfolded
 */
export function useDraft(island: Island, faults: Fault[], unfolded: string[]): void {
  // Runs during hydration, so that no key is lost in between.
  useLayoutEffect(() => {
    const { fields } = island;
    const { code, values: written } = island.state().view; // values that the server rendered
    fields.tidy(); // input before this loaded
    island.dispatch({ type: "started", faults, paymentPending: isPaymentPending(code) });
    for (const group of unfolded) island.dispatch({ type: "folded", group, open: true });
    const coupon = restoreDraft(island) || couponOfAddress(island, written.coupon_code);
    if (coupon) void reapplyCoupon(island, coupon); // in the background
    const unsubscribe = island.subscribe(() => store(island));
    void askReferral(island);
    for (const name of watchedFields) {
      const field = fields.find(name); // filled in or ticked before this loaded
      const held = island.state().view.values[name] ?? "";
      if (field && fields.values()[name] !== held) edit(island, field, false, fields.values()[name]);
    }
    return unsubscribe;
  }, [island, faults, unfolded]);
}

/** Returns the coupon to apply again, if the form still has it. */
function restoreDraft(island: Island): string {
  const { code, price } = island.state().view;
  const draft = loadDraft(code);
  const element = island.fields.ref.current;
  if (!draft || !element) return "";
  const held = heldFields(island, draft);
  restore(form, element, draft.values);
  island.dispatch({ type: "restored", draft, held });
  return draft.coupon === island.fields.values().coupon_code && !price.coupon ? draft.coupon : "";
}

/**
 * Returns the fields that the visitor used before this loaded: the focused one, and those whose value is neither the server's
 * nor the draft's (which a browser may restore by itself).
 */
function heldFields({ fields, state }: Island, draft: Draft): string[] {
  const { values: written } = state().view;
  const typed = Object.entries(fields.values()).filter(
    ([name, value]) => value && value !== (written[name] ?? "") && value !== draft.values[name],
  );
  const focused = document.activeElement?.getAttribute("name") ?? "";
  return [focused, ...typed.map(([name]) => name)];
}

/** Returns the address's coupon to apply now; "" if the visitor is typing another. */
function couponOfAddress({ fields, state }: Island, written = ""): string {
  const { price, faults } = state().view;
  return faults.length === 0 && !price.coupon && fields.values().coupon_code === written ? written : "";
}

function store({ fields, state }: Island): void {
  const { view, codes, isDraft, passed } = state();
  if (!isDraft || !fields.ref.current) return;
  const { code, phone, guardian, price } = view;
  const now = Date.now();
  saveDraft(code, {
    values: fields.values(),
    phone: toStored(phone, codes.phone.expiresAt, now),
    guardian: toStored(guardian, codes.guardian.expiresAt, now),
    coupon: price.coupon,
    passed: [...passed],
  });
}
