import type { ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { parseJSON } from "../runtime/schema.ts";
import { Checkout, FailedToLoad, Unsupported } from "./Checkout.tsx";
import { head } from "./payload.ts";
import { isSupported, type Provider, widgets } from "./widgets.ts";

/**
 * Mounts over the form that the server sent, which stays until there is something to put in its place, and for good where
 * the gateway has no widget: it is paid with by its form. A page that the browser brings back may show an attempt that is over: it is loaded anew, and the server decides what it shows.
 */
export async function open(island: HTMLElement): Promise<void> {
  addEventListener("popstate", () => location.hash === "" && location.reload());
  addEventListener("pageshow", (event) => event.persisted && location.reload());
  const root = island.querySelector(".island-root");
  if (!root) return;
  const shown = await content(island, root.querySelector("form") !== null);
  if (shown === undefined) return;
  const place = document.createElement("div");
  place.className = root.className;
  createRoot(place).render(shown); // while the page's own form stands there still, and shows what is unfolded
  root.replaceWith(place);
}

/** What stands in the place of the page's own content; undefined where that stays. */
async function content(island: HTMLElement, hasForm: boolean): Promise<ReactNode | undefined> {
  const text = island.querySelector("script")?.textContent ?? "";
  const payload = parseJSON(head, text);
  if (!payload) return <FailedToLoad other="" />;
  const { gateway, other = "" } = payload;
  if (!isSupported(gateway)) return hasForm ? undefined : <Unsupported other={other} />;
  try {
    return checkout(text, await widgets[gateway]());
  } catch {
    return <FailedToLoad other={other} />;
  }
}

function checkout<P extends { return: string; other: string }>(text: string, provider: Provider<P>): ReactNode {
  const payload = parseJSON(provider.payload, text);
  if (!payload) throw new Error("checkout: the payload is not of its gateway's shape");
  return <Checkout payload={payload} provider={provider} />;
}

for (const island of document.querySelectorAll<HTMLElement>('[data-island="checkout"]')) void open(island);
