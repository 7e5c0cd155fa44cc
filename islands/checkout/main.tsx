import type { ReactNode } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { parseJSON } from "../runtime/schema.ts";
import { Checkout, Failed, FailedToLoad, Unsupported } from "./Checkout.tsx";
import { type Common, type Gateway, head } from "./payload.ts";
import { isSupported, type PayloadOf, type Provider, widgets } from "./widgets.ts";

/**
 * Replaces the server's form once the gateway's widget has loaded. The form stays if there is no widget or it fails to load.
 * A page from the back/forward cache is reloaded, because its attempt may have ended.
 */
export async function open(island: HTMLElement): Promise<void> {
  addEventListener("popstate", () => location.hash === "" && location.reload());
  addEventListener("pageshow", (event) => event.persisted && location.reload());
  const root = island.querySelector(".island-root");
  if (!root) return;
  const hasForm = root.querySelector("form") !== null;
  const text = island.querySelector("script")?.textContent ?? "";
  const { gateway = "", other = "" } = parseJSON(head, text) ?? {};
  if (gateway && !isSupported(gateway)) {
    if (!hasForm) show(root, <Unsupported other={other} />);
    return;
  }
  try {
    show(root, await checkout(gateway, text, hasForm));
  } catch {
    if (!hasForm) return show(root, <FailedToLoad other={other} />);
    const line = document.createElement("div");
    render(line, <Failed text="The payment window failed to load. Pay with the buttons here instead." />);
    root.before(line);
  }
}

/** Replaces the page's own content. */
function show(root: Element, shown: ReactNode): void {
  const place = document.createElement("div");
  place.className = root.className;
  render(place, shown); // before the page's form is removed, to copy which parts are open
  root.replaceWith(place);
}

/** Renders synchronously. */
function render(place: Element, shown: ReactNode): void {
  flushSync(() => createRoot(place).render(shown));
}

/** Returns the gateway's widget. While it loads, the page's form stays; without a form a message is shown. */
async function checkout(gateway: string, text: string, hasForm: boolean): Promise<ReactNode> {
  if (!isSupported(gateway)) throw new Error("checkout: the page says of no gateway");
  return ofGateway(gateway, text, hasForm);
}

/** Generic, so that the compiler knows that widget and payload belong to the same gateway. */
async function ofGateway<G extends Gateway>(gateway: G, text: string, hasForm: boolean): Promise<ReactNode> {
  return widgetOf<PayloadOf[G]>(text, await widgets[gateway](), hasForm);
}

async function widgetOf<P extends Common>(
  text: string,
  { load, ...provider }: Provider<P>,
  hasForm: boolean,
): Promise<ReactNode> {
  const payload = parseJSON(provider.payload, text);
  if (!payload) throw new Error("checkout: the payload is not of its gateway's shape");
  if (!hasForm) return <Checkout payload={payload} provider={load ? { ...provider, load } : provider} />;
  await load?.(payload);
  return <Checkout payload={payload} provider={provider} />;
}

for (const island of document.querySelectorAll<HTMLElement>('[data-island="checkout"]')) void open(island);
