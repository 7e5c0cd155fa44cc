import { useEffect } from "react";
import { Loading } from "./Checkout.tsx";
import { cameBack, leaves, stays } from "./leaving.ts";
import { type CashfreePayload, cashfreePayload } from "./payload.ts";
import { loadScript } from "./script.ts";
import type { Provider, WidgetProps } from "./widgets.ts";

interface Checkout {
  /** Opens Cashfree's page; resolves only on failure. */
  checkout(options: { paymentSessionId: string; redirectTarget: "_self" }): Promise<{ error?: unknown } | undefined>;
}

declare global {
  interface Window {
    Cashfree?: (options: { mode: "sandbox" | "production" }) => Checkout;
  }
}

const beforeLeaving = 2000; // milliseconds, to read the amount (spec §4)

/** Opens Cashfree's page in the same window. Cashfree returns the browser to the attempt's return address. */
function Widget({ payload, close, fail }: WidgetProps<CashfreePayload>) {
  useEffect(() => {
    if (cameBack(payload.txn)) return close();
    const timer = setTimeout(() => {
      leaves(payload.txn);
      leave(payload).catch(() => {
        stays(payload.txn);
        fail();
      });
    }, beforeLeaving);
    return () => clearTimeout(timer);
  }, [payload, close, fail]);
  return <Loading />;
}

async function leave({ provider: { mode, sessionId } }: CashfreePayload): Promise<void> {
  const answer = await window.Cashfree?.({ mode }).checkout({ paymentSessionId: sessionId, redirectTarget: "_self" });
  if (!window.Cashfree || answer?.error) throw new Error("checkout: the payment page does not open");
}

const load = ({ provider }: CashfreePayload): Promise<void> => loadScript(provider.script);

export const cashfree: Provider<CashfreePayload> = { payload: cashfreePayload, load, Widget };
