import type { ReactNode } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { parseJSON } from "../runtime/schema.ts";
import { Checkout, Failed, FailedToLoad, Unsupported } from "./Checkout.tsx";
import { type Common, type Gateway, head } from "./payload.ts";
import { isSupported, type PayloadOf, type Provider, widgets } from "./widgets.ts";

/**
 * Mounts over the form that the server sent, which stays until there is something to put in its place: for good where the
 * gateway has no widget, or its widget does not load. A page that the browser brings back may show an attempt that is over:
 * it is loaded anew, and the server decides what it shows.
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

/** Puts something in the place of the page's own content. */
function show(root: Element, shown: ReactNode): void {
  const place = document.createElement("div");
  place.className = root.className;
  render(place, shown); // before the page's form, with its open parts, is removed
  root.replaceWith(place);
}

/** Renders into place before it returns. */
function render(place: Element, shown: ReactNode): void {
  flushSync(() => createRoot(place).render(shown));
}

/** The gateway's widget. While it loads the page's form stays, if it has one; else a message is shown. */
async function checkout(gateway: string, text: string, hasForm: boolean): Promise<ReactNode> {
  if (!isSupported(gateway)) throw new Error("checkout: the page says of no gateway");
  return ofGateway(gateway, text, hasForm);
}

/** Is generic, so that widget and payload are known to be of the same gateway. */
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
