import { useEffect } from "react";
import { isPaymentPending } from "./draft.ts";
import type { Island } from "./island.ts";

/** Follows what happens to the page: it comes back from memory, and it is online again. */
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
