import type { ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { Checkout, FailedToLoad, Unsupported } from "./Checkout.tsx";
import type { Payload } from "./payload.ts";
import { isSupported, widgets } from "./widgets.ts";

/**
 * Mounts over the form that the server sent, which stays until there is something to put in its place. A page that the
 * browser brings back may show an attempt that is over: it is loaded anew, and the server decides what it shows.
 */
export async function open(island: HTMLElement): Promise<void> {
  addEventListener("popstate", () => location.hash === "" && location.reload());
  addEventListener("pageshow", (event) => event.persisted && location.reload());
  const root = island.querySelector(".island-root");
  if (root) createRoot(root).render(await content(island));
}

async function content(island: HTMLElement): Promise<ReactNode> {
  const payload = read(island);
  if (!payload) return <FailedToLoad other="" />;
  const other = payload.other ?? "";
  if (!isSupported(payload.gateway ?? "")) return <Unsupported other={other} />;
  const whole = payload as Payload; // our own server wrote it, and the gateway says which shape
  try {
    return <Checkout payload={whole} provider={await widgets[whole.gateway]()} />;
  } catch {
    return <FailedToLoad other={other} />;
  }
}

function read(island: HTMLElement): Partial<Payload> | undefined {
  try {
    return JSON.parse(island.querySelector("script")?.textContent ?? "");
  } catch {
    return undefined;
  }
}

for (const island of document.querySelectorAll<HTMLElement>('[data-island="checkout"]')) void open(island);
