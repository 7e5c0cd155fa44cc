import type { ReactNode } from "react";
import type { Schema } from "../runtime/schema.ts";
import type { Gateway, Payload } from "./payload.ts";

/** What a widget may do: each ends one try to pay. */
export interface WidgetProps<P> {
  readonly payload: P;
  readonly busy: boolean; // an outcome is on its way to the server
  /** Posts the provider's values to the server, which queries the provider. The browser leaves the page. */
  finish(fields: Readonly<Record<string, string>>): void;
  /** The person closed the provider's window. */
  close(): void;
  /** The provider's window could not be used. */
  fail(): void;
}

/** A payment widget: its requirements and its component. */
export interface Provider<P> {
  /** What its payload must be. */
  readonly payload: Schema<P>;
  /** Loads the provider's script; absent where there is none. */
  load?(payload: P): Promise<void>;
  Widget(props: WidgetProps<P>): ReactNode;
}

export type PayloadOf = { [G in Gateway]: Extract<Payload, { gateway: G }> };
type Widgets = { [G in Gateway]: () => Promise<Provider<PayloadOf[G]>> };

/** A file a gateway, loaded only where it is needed. */
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
