import { useEffect } from "react";
import { isPaymentPending } from "./draft.ts";
import type { Island } from "./island.ts";

/** Handles the page's return from the back/forward cache, and from offline. */
export function usePage(island: Island): void {
  useEffect(() => {
    const back = ({ persisted }: PageTransitionEvent) => {
      const { code } = island.state().view;
      if (persisted) island.dispatch({ type: "returned", paymentPending: isPaymentPending(code) });
    };
    const online = () => island.dispatch({ type: "online" });
    addEventListener("pageshow", back);
    addEventListener("online", online);
    return () => {
      removeEventListener("pageshow", back);
      removeEventListener("online", online);
    };
  }, [island]);
}
