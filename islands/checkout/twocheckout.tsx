import { useEffect, useRef, useState } from "react";
import { Failed } from "./Checkout.tsx";
import { type TwocheckoutPayload, twocheckoutPayload } from "./payload.ts";
import { loadScript } from "./script.ts";
import type { Provider, WidgetProps } from "./widgets.ts";

/** The card fields: the provider's frame, whose content this page cannot read. */
interface Card {
  mount(selector: string): void;
}

declare global {
  interface Window {
    /** https://docs.2checkout.com, 2Pay.js */
    TwoPayClient?: new (
      merchant: string,
    ) => {
      components: { create(kind: "card"): Card };
      tokens: { generate(card: Card, details: { name: string }): Promise<{ token?: string }> };
    };
  }
}

const place = "card-fields";
const refused = "The card could not be read. Check its number, date and code.";

/** Shows the card fields and posts the card's token to the server, which charges it. */
function Widget({ payload, busy, finish, fail }: WidgetProps<TwocheckoutPayload>) {
  const make = useRef<() => Promise<{ token?: string }>>(undefined);
  const [state, setState] = useState<"" | "working" | "refused">("");
  const { sellerId, name } = payload.provider;

  useEffect(() => {
    if (make.current) return;
    try {
      if (!window.TwoPayClient) throw new Error("checkout: the provider's script brings no card fields");
      const client = new window.TwoPayClient(sellerId);
      const card = client.components.create("card");
      card.mount(`#${place}`);
      make.current = () => client.tokens.generate(card, { name });
    } catch {
      fail();
    }
  }, [sellerId, name, fail]);

  async function pay() {
    if (!make.current || state === "working" || busy) return;
    setState("working");
    try {
      const { token } = await make.current();
      if (!token) throw new Error("checkout: no token");
      finish({ token });
    } catch {
      setState("refused");
    }
  }

  const working = busy || state === "working";
  return (
    <div className="stack">
      {state === "refused" && <Failed text={refused} />}
      <div id={place} className="card-fields" />
      <button
        className="button button-gold button-wide"
        type="button"
        aria-busy={working ? true : undefined}
        onClick={() => void pay()}
      >
        {working ? "Processing..." : `Pay ${payload.amount}`}
      </button>
    </div>
  );
}

export const twocheckout: Provider<TwocheckoutPayload> = {
  payload: twocheckoutPayload,
  load: ({ provider }) => loadScript(provider.script),
  Widget,
};
