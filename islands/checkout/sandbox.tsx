import { useState } from "react";
import { type SandboxPayload, sandboxPayload } from "./payload.ts";
import type { Provider, WidgetProps } from "./widgets.ts";

/** The buttons of the page without scripts (pages/checkout/checkout.templ), with a message while a post is running. */
function Widget({ payload, busy, finish }: WidgetProps<SandboxPayload>) {
  const [pressed, setPressed] = useState("");
  const [open] = useState(openBefore);
  const button = (b: SandboxPayload["provider"]["buttons"][number]) => (
    <button
      key={b.outcome}
      className={b.outcome === "paid" ? "button button-gold button-wide" : "button button-outline button-wide"}
      type="button"
      aria-busy={busy && pressed === b.outcome ? true : undefined}
      onClick={() => {
        setPressed(b.outcome);
        finish({ outcome: b.outcome, signature: b.signature });
      }}
    >
      {busy && pressed === b.outcome ? "Processing..." : b.label}
    </button>
  );
  return (
    <>
      <div className="payment-buttons">{payload.provider.buttons.filter((b) => !b.more).map(button)}</div>
      <details className="more" open={open}>
        <summary>More outcomes</summary>
        <div className="payment-buttons">{payload.provider.buttons.filter((b) => b.more).map(button)}</div>
      </details>
    </>
  );
}

/** Reports whether the visitor had opened the list in the server's page. */
const openBefore = () => document.querySelector<HTMLDetailsElement>(".island-root details")?.open ?? false;

export const sandbox: Provider<SandboxPayload> = { payload: sandboxPayload, Widget };
