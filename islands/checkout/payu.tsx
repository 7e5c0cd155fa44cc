import { useEffect, useRef } from "react";
import { Loading } from "./Checkout.tsx";
import { cameBack, leaves, stays } from "./leaving.ts";
import { type PayuPayload, payuPayload } from "./payload.ts";
import { post } from "./post.ts";
import type { Provider, WidgetProps } from "./widgets.ts";

/** Posts the same form to PayU as the page without scripts (integrations/payment/payu); PayU returns by a post. */
function Widget({ payload, close, fail }: WidgetProps<PayuPayload>) {
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    if (cameBack(payload.txn)) return close();
    leaves(payload.txn);
    try {
      const { payUUrl, ...fields } = payload.provider.details.initiateTransaction;
      post(payUUrl, Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== "")));
    } catch {
      stays(payload.txn);
      fail();
    }
  }, [payload, close, fail]);
  return <Loading />;
}

export const payu: Provider<PayuPayload> = { payload: payuPayload, Widget };
