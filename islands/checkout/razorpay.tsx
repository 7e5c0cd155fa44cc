import { useEffect, useRef } from "react";
import * as z from "zod/mini";
import { parse } from "../runtime/schema.ts";
import { type RazorpayPayload, razorpayPayload } from "./payload.ts";
import { loadScript } from "./script.ts";
import type { Provider, WidgetProps } from "./widgets.ts";

declare global {
  interface Window {
    /** https://razorpay.com/docs/payments/payment-gateway/web-integration/standard/integration-steps */
    Razorpay?: new (
      options: Record<string, unknown>,
    ) => {
      on(event: "payment.failed", then: () => void): void;
      open(): void;
    };
  }
}

/** Signed result of the window; the server verifies it. */
const signed = z.object({
  razorpay_payment_id: z.string(),
  razorpay_order_id: z.string(),
  razorpay_signature: z.string(),
});

type Outcome = Pick<WidgetProps<RazorpayPayload>, "finish" | "close">;

/**
 * Opens the window over the page. The payer can retry a failed payment in it. Closing it after a failure posts no values, and the
 * server shows what it knows of the payment.
 */
function openWindow({ provider }: RazorpayPayload, { finish, close }: Outcome): void {
  if (!window.Razorpay) throw new Error("checkout: the provider's script brings no window");
  let last: "none" | "failed" | "paid" = "none";
  const opened = new window.Razorpay({
    key: provider.clientId,
    order_id: provider.providerOrderId,
    amount: provider.amount,
    currency: provider.currency,
    name: provider.name,
    description: provider.description,
    config: provider.config,
    prefill: provider.prefill,
    notes: provider.notes,
    handler: (answer: unknown) => {
      last = "paid";
      finish(parse(signed, answer) ?? {});
    },
    modal: {
      ondismiss: () => {
        if (last === "none") close();
        else if (last === "failed") finish({});
      },
    },
  });
  opened.on("payment.failed", () => {
    last = "failed";
  });
  opened.open();
  for (const container of document.querySelectorAll(".razorpay-container")) container.classList.add("payment-window");
}

function Widget({ payload, busy, finish, close, fail }: WidgetProps<RazorpayPayload>) {
  const opened = useRef(false);
  useEffect(() => {
    if (opened.current) return;
    opened.current = true;
    try {
      openWindow(payload, { finish, close });
    } catch {
      fail();
    }
  });
  return (
    <p className="loading" role="status">
      <span>{busy ? "Processing..." : "Continue in the payment window."}</span>
    </p>
  );
}

export const razorpay: Provider<RazorpayPayload> = {
  payload: razorpayPayload,
  load: ({ provider }) => loadScript(provider.script),
  Widget,
};
