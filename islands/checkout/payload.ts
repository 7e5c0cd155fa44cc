// What the page gives this island: one shape a gateway, told apart by its name. pages/checkout/checkout.go is the twin.
import * as z from "zod/mini";
import { currency, ownAddress } from "../runtime/schema.ts";

/** What each payload has, whatever its gateway is. */
export const common = {
  txn: z.string(),
  /** As it is to be read. */
  amount: z.string(),
  /** Where the outcome is posted. */
  return: ownAddress,
  /** The page with the other methods; "" where there is none. */
  other: z.string(),
};

export type Common = Record<keyof typeof common, string>;

/** What is read before the gateway is known to be one of ours. */
export const head = z.object({ gateway: z.string(), other: z.optional(z.string()) });

export const sandboxPayload = z.object({
  ...common,
  gateway: z.literal("sandbox"),
  /** The gateway's fields, apart from ours. */
  provider: z.object({
    /** The outcomes that the sandbox gateway has signed; more: for developers. */
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
  /** What its window takes, in the words of the specification; integrations/payment/razorpay/descriptor.go is the twin. */
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
      /** Fields to post to payUUrl, without empty ones. */
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
  /** integrations/payment/twocheckout/descriptor.go is the twin. */
  provider: z.object({
    script: z.string(),
    sellerId: z.string(),
    publishableKey: z.string(),
    /** Of the payer: the card fields ask for the holder's. */
    name: z.string(),
  }),
});

export type TwocheckoutPayload = z.infer<typeof twocheckoutPayload>;

/** A further gateway with a widget adds its shape here, and the widget to `widgets`. One without is paid with by the page's forms. */
export type Payload =
  | SandboxPayload
  | CashfreePayload
  | RazorpayPayload
  | PayPalPayload
  | StripePayload
  | PayuPayload
  | TwocheckoutPayload;

export type Gateway = Payload["gateway"];
