import { useEffect, useRef } from "react";
import { type PayPalPayload, paypalPayload } from "./payload.ts";
import { loadScript } from "./script.ts";
import type { Provider, WidgetProps } from "./widgets.ts";

interface Buttons {
  /** Reports whether this browser supports the buttons. */
  isEligible(): boolean;
  render(place: HTMLElement): Promise<void>;
  close(): Promise<void>;
}

interface Options {
  createOrder(): Promise<string>;
  onApprove(approved: { orderID: string }): Promise<void>;
  onCancel(): void;
  onError(reason: unknown): void;
}

declare global {
  interface Window {
    paypal?: { Buttons(options: Options): Buttons };
  }
}

/** PayPal's buttons, which open its window. Only the server captures an approved payment. */
function Widget({ payload, busy, finish, close, fail }: WidgetProps<PayPalPayload>) {
  const place = useRef<HTMLDivElement>(null);
  const now = useRef({ finish, close, fail }); // PayPal keeps the buttons across renders
  now.current = { finish, close, fail };
  useEffect(() => {
    if (!place.current) return;
    let over = false; // later events, such as the window's end, are ignored
    const end = (how: () => void) => {
      if (over) return;
      over = true;
      how();
    };
    const buttons = window.paypal?.Buttons({
      createOrder: async () => payload.provider.providerOrderId,
      onApprove: async ({ orderID }) => end(() => now.current.finish({ orderID })),
      onCancel: () => end(now.current.close),
      onError: () => end(now.current.fail),
    });
    if (!buttons?.isEligible()) return end(now.current.fail);
    buttons.render(place.current).catch(() => end(now.current.fail));
    return () => {
      over = true;
      buttons.close().catch(() => {});
    };
  }, [payload]);
  return (
    <>
      {busy && (
        <p className="loading" role="status">
          <span>Processing...</span>
        </p>
      )}
      <div ref={place} className="payment-buttons" hidden={busy} />
    </>
  );
}

async function load({ provider }: PayPalPayload): Promise<void> {
  const script = new URL(provider.script);
  script.searchParams.set("client-id", provider.clientId);
  script.searchParams.set("currency", provider.currency);
  script.searchParams.set("intent", "capture");
  script.searchParams.set("disable-funding", "venmo"); // our content security policy does not allow its origins
  await loadScript(script.href);
  if (!window.paypal) throw new Error("checkout: the script has no buttons");
}

export const paypal: Provider<PayPalPayload> = { payload: paypalPayload, load, Widget };
