// The island's payload: a union discriminated by the gateway's name. pages/checkout/checkout.go writes it.
import * as z from "zod/mini";
import { currency, ownAddress } from "../runtime/schema.ts";

/** Fields of every payload. */
export const common = {
  txn: z.string(),
  /** Formatted amount. */
  amount: z.string(),
  /** Address to which the outcome is posted. */
  return: ownAddress,
  /** Page with the other methods; "" if there are none. */
  other: z.string(),
};

export type Common = Record<keyof typeof common, string>;

/** Fields that are parsed before the gateway is known. */
export const head = z.object({ gateway: z.string(), other: z.optional(z.string()) });

export const sandboxPayload = z.object({
  ...common,
  gateway: z.literal("sandbox"),
  /** The gateway's own fields. */
  provider: z.object({
    /** Signed outcomes of the sandbox gateway; more: for developers. */
    buttons: z.array(z.object({ outcome: z.string(), label: z.string(), signature: z.string(), more: z.boolean() })),
  }),
});

export type SandboxPayload = z.infer<typeof sandboxPayload>;

export const cashfreePayload = z.object({
  ...common,
  gateway: z.literal("cashfree"),
  provider: z.object({ script: z.string(), sessionId: z.string(), mode: z.enum(["sandbox", "production"]) }),
});

export type CashfreePayload = z.infer<typeof cashfreePayload>;

export const razorpayPayload = z.object({
  ...common,
  gateway: z.literal("razorpay"),
  /** Options of Razorpay's window, named as in the specification; integrations/payment/razorpay/descriptor.go writes them. */
  provider: z.object({
    script: z.string(),
    clientId: z.string(),
    amount: z.string(), // whole paise
    currency: z.string(),
    providerOrderId: z.string(),
    config: z.record(z.string(), z.unknown()),
    name: z.string(),
    description: z.string(),
    prefill: z.record(z.string(), z.string()),
    notes: z.record(z.string(), z.string()),
  }),
});

export type RazorpayPayload = z.infer<typeof razorpayPayload>;

export const paypalPayload = z.object({
  ...common,
  gateway: z.literal("paypal"),
  provider: z.object({ script: z.string(), clientId: z.string(), currency, providerOrderId: z.string() }),
});

export type PayPalPayload = z.infer<typeof paypalPayload>;

export const stripePayload = z.object({
  ...common,
  gateway: z.literal("stripe"),
  provider: z.object({ script: z.string(), publishableKey: z.string(), clientSecret: z.string() }),
});

export type StripePayload = z.infer<typeof stripePayload>;

export const payuPayload = z.object({
  ...common,
  gateway: z.literal("payu"),
  provider: z.object({
    details: z.object({
      /** Non-empty fields to post to payUUrl. */
      initiateTransaction: z.object({
        key: z.string(),
        txnid: z.string(),
        productinfo: z.string(),
        amount: z.string(),
        email: z.string(),
        firstname: z.string(),
        phone: z.string(),
        udf1: z.string(),
        surl: z.string(),
        furl: z.string(),
        hash: z.string(),
        enforce_paymethod: z.string(),
        payUUrl: z.string(),
      }),
    }),
  }),
});

export type PayuPayload = z.infer<typeof payuPayload>;

export const twocheckoutPayload = z.object({
  ...common,
  gateway: z.literal("twocheckout"),
  /** integrations/payment/twocheckout/descriptor.go writes it. */
  provider: z.object({
    script: z.string(),
    sellerId: z.string(),
    publishableKey: z.string(),
    /** The payer's name, sent with the card; the card fields ask for the card holder's. */
    name: z.string(),
  }),
});

export type TwocheckoutPayload = z.infer<typeof twocheckoutPayload>;

/** A new gateway adds its payload here and its widget to `widgets`. Without a widget, payers use the page's forms. */
export type Payload =
  | SandboxPayload
  | CashfreePayload
  | RazorpayPayload
  | PayPalPayload
  | StripePayload
  | PayuPayload
  | TwocheckoutPayload;

export type Gateway = Payload["gateway"];
