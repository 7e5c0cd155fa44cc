import type { ReactNode } from "react";
import type { Schema } from "../runtime/schema.ts";
import type { Gateway, Payload } from "./payload.ts";

/** Callbacks of a widget; each ends one attempt to pay. */
export interface WidgetProps<P> {
  readonly payload: P;
  readonly busy: boolean; // an outcome is being posted
  /** Posts the provider's values to the server, which queries the provider. The browser leaves the page. */
  finish(fields: Readonly<Record<string, string>>): void;
  /** The payer closed the provider's window. */
  close(): void;
  /** The provider's window failed to open. */
  fail(): void;
}

/** A payment widget. */
export interface Provider<P> {
  /** Schema of its payload. */
  readonly payload: Schema<P>;
  /** Loads the provider's script; absent if there is none. */
  load?(payload: P): Promise<void>;
  Widget(props: WidgetProps<P>): ReactNode;
}

export type PayloadOf = { [G in Gateway]: Extract<Payload, { gateway: G }> };
type Widgets = { [G in Gateway]: () => Promise<Provider<PayloadOf[G]>> };

/** One file per gateway, loaded on demand. */
export const widgets: Widgets = {
  sandbox: async () => (await import("./sandbox.tsx")).sandbox,
  cashfree: async () => (await import("./cashfree.tsx")).cashfree,
  razorpay: async () => (await import("./razorpay.tsx")).razorpay,
  paypal: async () => (await import("./paypal.tsx")).paypal,
  stripe: async () => (await import("./stripe.tsx")).stripe,
  payu: async () => (await import("./payu.tsx")).payu,
  twocheckout: async () => (await import("./twocheckout.tsx")).twocheckout,
};

export const isSupported = (gateway: string): gateway is Gateway => Object.hasOwn(widgets, gateway);
