import { useEffect, useRef, useState } from "react";
import { Failed, Loading } from "./Checkout.tsx";
import { type StripePayload, stripePayload } from "./payload.ts";
import { loadScript } from "./script.ts";
import type { Provider, WidgetProps } from "./widgets.ts";

interface PaymentElement {
  mount(place: HTMLElement): void;
  destroy(): void;
  on(event: "ready" | "loaderror", heard: () => void): void;
}

interface Elements {
  create(kind: "payment"): PaymentElement;
}

interface Intent {
  id: string;
  status: string;
}

interface Outcome {
  paymentIntent?: Intent;
  error?: { type?: string; message?: string; payment_intent?: Intent };
}

interface Stripe {
  elements(options: { clientSecret: string; locale: "en"; appearance: { theme: "stripe" | "night" } }): Elements;
  confirmPayment(options: {
    elements: Elements;
    confirmParams: { return_url: string };
    redirect: "if_required";
  }): Promise<Outcome>;
}

declare global {
  interface Window {
    Stripe?: (publishableKey: string) => Stripe;
  }
}

const patience = 20_000; // ms until Stripe's fields must have loaded

const notHeard = "No answer came. Try again: you can be charged only once.";
const refused = "This payment was refused. Try another card, or another method.";

/** Stripe's card fields, in frames of its own, and our button to pay. */
function Widget({ payload, busy, finish, fail }: WidgetProps<StripePayload>) {
  const place = useRef<HTMLDivElement>(null);
  const confirm = useRef<() => Promise<Outcome>>(undefined);
  const failing = useRef(fail);
  const [ready, setReady] = useState(false);
  const [paying, setPaying] = useState(false);
  const [problem, setProblem] = useState("");

  useEffect(() => {
    const { publishableKey, clientSecret } = payload.provider;
    const stripe = window.Stripe?.(publishableKey);
    if (!stripe || !place.current) return failing.current();
    const elements = stripe.elements({
      clientSecret,
      locale: "en",
      appearance: { theme: isDark() ? "night" : "stripe" },
    });
    const element = elements.create("payment");
    const timer = setTimeout(() => failing.current(), patience);
    element.on("ready", () => {
      clearTimeout(timer);
      setReady(true);
    });
    element.on("loaderror", () => failing.current());
    element.mount(place.current);
    const confirmParams = { return_url: returnAddress(payload) };
    confirm.current = () => stripe.confirmPayment({ elements, confirmParams, redirect: "if_required" });
    return () => {
      clearTimeout(timer);
      element.destroy();
    };
  }, [payload]);

  const pay = async () => {
    if (paying || busy || !confirm.current) return;
    setPaying(true);
    setProblem("");
    const outcome: Outcome = await confirm.current().catch(() => ({ error: {} }));
    const paid = outcome.paymentIntent ?? over(outcome);
    if (paid) return finish({ payment_intent: paid.id });
    setPaying(false);
    setProblem(wordsOf(outcome));
  };

  return (
    <div className="stack">
      {!ready && <Loading />}
      <div ref={place} />
      {problem && <Failed text={problem} />}
      {ready && (
        <button
          className="button button-gold button-wide"
          type="button"
          aria-busy={paying || busy ? true : undefined}
          onClick={pay}
        >
          {paying || busy ? "Processing..." : `Pay ${payload.amount}`}
        </button>
      )}
    </div>
  );
}

const isDark = (): boolean => matchMedia("(prefers-color-scheme: dark)").matches;

/** Return address after the bank's page (spec §4). The server ignores its parameters and queries Stripe. */
function returnAddress({ txn, return: back }: StripePayload): string {
  const address = new URL(back, document.baseURI);
  address.search = String(new URLSearchParams({ kspay_id: txn, payment_status: "Success", provider_payment_id: "" }));
  return address.href;
}

/** Returns the payment intent of an attempt that Stripe rejected because the intent has ended or is being processed. */
function over({ error }: Outcome): Intent | undefined {
  const intent = error?.payment_intent;
  return intent && ["succeeded", "processing", "requires_capture", "canceled"].includes(intent.status)
    ? intent
    : undefined;
}

/** Returns a message for the payer: the bank's refusal or a missing value; every other error reads as no answer. */
function wordsOf({ error }: Outcome): string {
  if (error?.type !== "card_error" && error?.type !== "validation_error") return notHeard;
  return error.message && !/stripe/i.test(error.message) ? error.message : refused;
}

const load = ({ provider }: StripePayload): Promise<void> => loadScript(provider.script);

export const stripe: Provider<StripePayload> = { payload: stripePayload, load, Widget };
