// The enrolment form with scripts: checks input while the visitor types, and calls the JSON API instead of posting.
import { type ComponentProps, type RefObject, useState } from "react";
import { usePart } from "../forms/island.ts";
import { useFocus } from "../forms/useFocus.ts";
import { type Use, useHandlers } from "../forms/useHandlers.ts";
import { edit, submit } from "./actions.ts";
import { type Island, islandOf } from "./island.ts";
import { askReferral } from "./referral.ts";
import { names } from "./state.ts";
import { useCountdown } from "./useCountdown.ts";
import { useDraft } from "./useDraft.ts";
import { useLead } from "./useLead.ts";
import { usePage } from "./usePage.ts";
import { usePrice } from "./usePrice.ts";
import { useSmsCode } from "./useSmsCode.ts";
import type { View } from "./view.ts";

export interface Enrolment {
  view: View;
  /** Whether this tab has an unpaid enrolment. */
  paymentPending: boolean;
  summary: RefObject<HTMLDivElement | null>;
  onFold: (group: string, open: boolean) => void;
  handlers: ComponentProps<"form">;
}

/**
 * @param unfolded groups that the visitor had already unfolded
 * @param go leaves the page
 */
export function useEnrolment(initial: View, unfolded: string[], go: (address: string) => void): Enrolment {
  const [island] = useState(() => islandOf(initial, go));
  const [on] = useState(() => handlersOf(island));
  const summary = useFocus(island, isCode);
  useCountdown(island);
  useSmsCode(island);
  useDraft(island, initial.faults, unfolded);
  useLead(island);
  usePage(island);
  usePrice(island);
  return {
    view: usePart(island, ({ view }) => view),
    paymentPending: usePart(island, ({ paymentPending }) => paymentPending),
    summary,
    onFold: (group, open) => island.dispatch({ type: "folded", group, open }),
    handlers: useHandlers(on),
  };
}

const isCode = ({ name }: HTMLInputElement) => name === names.phone.code || name === names.guardian.code;

const handlersOf = (island: Island): Use => ({
  fields: island.fields,
  edit: (field) => edit(island, field, true),
  leave(field, judge) {
    island.dispatch({ type: "left", name: field.name, judge });
    if (judge && field.name === "referral_code") void askReferral(island);
  },
  judge() {
    island.dispatch({ type: "judged" });
    void askReferral(island); // the press that caused this also left the referral code's field
  },
  submit: (button) => submit(island, button || "pay"),
});
