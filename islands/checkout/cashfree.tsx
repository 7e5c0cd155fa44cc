import { useEffect } from "react";
import { load as loadText, remove, save } from "../runtime/storage.ts";
import { Loading } from "./Checkout.tsx";
import { type CashfreePayload, cashfreePayload } from "./payload.ts";
import { loadScript } from "./script.ts";
import type { Provider, WidgetProps } from "./widgets.ts";

interface Checkout {
  /** Sends the browser to Cashfree's page; an answer comes only where that was not possible. */
  checkout(options: { paymentSessionId: string; redirectTarget: "_self" }): Promise<{ error?: unknown } | undefined>;
}

declare global {
  interface Window {
    Cashfree?: (options: { mode: "sandbox" | "production" }) => Checkout;
  }
}

const beforeLeaving = 2000; // milliseconds: long enough to read what is paid (spec §4)

/**
 * Leads to Cashfree's page, in the same window, and from there the browser returns to the attempt's return address. Who
 * comes back by the browser's own button, or by a reload, is not sent there again unasked.
 */
function Widget({ payload, close, fail }: WidgetProps<CashfreePayload>) {
  useEffect(() => {
    const left = `checkout:left:${payload.txn}`;
    const wasLeft = loadText(left) !== "";
    remove(left);
    if (wasLeft && cameBack()) return close();
    const timer = setTimeout(() => {
      save(left, true);
      leave(payload).catch(() => {
        remove(left);
        fail();
      });
    }, beforeLeaving);
    return () => clearTimeout(timer);
  }, [payload, close, fail]);
  return <Loading />;
}

/** Reports whether the page is shown again, and not opened by a link or a form. */
function cameBack(): boolean {
  const [opening] = performance.getEntriesByType("navigation");
  return opening !== undefined && "type" in opening && opening.type !== "navigate";
}

async function leave({ provider: { mode, sessionId } }: CashfreePayload): Promise<void> {
  const answer = await window.Cashfree?.({ mode }).checkout({ paymentSessionId: sessionId, redirectTarget: "_self" });
  if (!window.Cashfree || answer?.error) throw new Error("checkout: the payment page does not open");
}

const load = ({ provider }: CashfreePayload): Promise<void> => loadScript(provider.script);

export const cashfree: Provider<CashfreePayload> = { payload: cashfreePayload, load, Widget };
