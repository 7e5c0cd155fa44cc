import { useEffect } from "react";
import { usePart } from "../forms/island.ts";
import type { Island } from "./island.ts";

/** Counts the seconds until a code can be sent again, by the clock: browsers slow timers of hidden tabs. */
export function useCountdown(island: Island): void {
  const counts = usePart(island, ({ view: { phone, guardian } }) => phone.resendAfter > 0 || guardian.resendAfter > 0);
  useEffect(() => {
    if (!counts) return;
    let last = Date.now();
    const timer = setInterval(() => {
      const seconds = Math.round((Date.now() - last) / 1000);
      last += seconds * 1000;
      island.dispatch({ type: "secondsPassed", seconds });
    }, 1000);
    return () => clearInterval(timer);
  }, [island, counts]);
}
