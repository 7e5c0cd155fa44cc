// What the enrolment form does once scripts run: it judges while one types, and talks to the JSON API instead of posting.
import { type ComponentProps, type RefObject, useState } from "react";
import { islandOf, usePart } from "./island.ts";
import { useCountdown } from "./useCountdown.ts";
import { useDraft } from "./useDraft.ts";
import { useFocus } from "./useFocus.ts";
import { useHandlers } from "./useHandlers.ts";
import { useLead } from "./useLead.ts";
import { usePage } from "./usePage.ts";
import { usePrice } from "./usePrice.ts";
import { useSmsCode } from "./useSmsCode.ts";
import type { View } from "./view.ts";

export interface Enrolment {
  view: View;
  /** Whether the visitor has enrolled here before, and has not paid. */
  paymentPending: boolean;
  summary: RefObject<HTMLDivElement | null>;
  onFold: (group: string, open: boolean) => void;
  handlers: ComponentProps<"form">;
}

/** @param go leaves the page */
export function useEnrolment(initial: View, go: (address: string) => void): Enrolment {
  const [island] = useState(() => islandOf(initial, go));
  const summary = useFocus(island);
  useCountdown(island);
  useSmsCode(island);
  useDraft(island, initial.faults);
  useLead(island);
  usePage(island);
  usePrice(island);
  return {
    view: usePart(island, ({ view }) => view),
    paymentPending: usePart(island, ({ paymentPending }) => paymentPending),
    summary,
    onFold: (group, open) => island.dispatch({ type: "folded", group, open }),
    handlers: useHandlers(island),
  };
}
