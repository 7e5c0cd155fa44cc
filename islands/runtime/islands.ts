import { hasDataOf } from "./storage.ts";

interface Island {
  default?: (place: HTMLElement) => void;
}

/**
 * Loads the script of an island, [data-island][data-src], at the first pointer, key or focus event in it (also one before this
 * script ran) and passes it the element. An island with data in tab storage or with [data-at-once] loads at once, because its
 * script saves input offline.
 */
export function watchIslands(
  root: Document,
  load: (source: string) => Promise<Island> = (source) => import(source),
): void {
  const touched = new WeakSet<HTMLElement>();
  const wake = (target: EventTarget | null): void => {
    const place = target instanceof Element ? target.closest<HTMLElement>("[data-island]") : null;
    const source = place?.dataset.src;
    if (!place || !source || touched.has(place)) return;
    touched.add(place);
    preload(place);
    load(source).then(
      (island) => island.default?.(place),
      () => touched.delete(place), // offline: the next touch tries again, and the form works without
    );
  };
  for (const kind of ["pointerdown", "keydown", "focusin"])
    root.addEventListener(kind, (event) => wake(event.target), { passive: true });
  wake(root.activeElement);
  for (const place of root.querySelectorAll<HTMLElement>("[data-island][data-src]"))
    if ("atOnce" in place.dataset || hasDataOf(place.dataset.island)) wake(place);
    else preloadWhenNear(place);
}

/** Fetches the island's script and its imports, [data-imports], in parallel, without running them. */
function preload(place: HTMLElement): void {
  const { src = "", imports = "" } = place.dataset;
  for (const address of [src, ...imports.split(" ").filter(Boolean)]) {
    if (document.head.querySelector(`link[rel=modulepreload][href="${address}"]`)) continue;
    const link = document.createElement("link");
    link.rel = "modulepreload";
    link.href = address;
    document.head.append(link);
  }
}

/** Preloads an island that is less than a screen away, once the page has loaded and the browser is idle. */
function preloadWhenNear(place: HTMLElement): void {
  const { connection }: { connection?: { saveData: boolean } } = navigator as never;
  if (connection?.saveData) return;
  const idle = (): void => {
    if ("requestIdleCallback" in window) requestIdleCallback(() => preload(place));
    else setTimeout(() => preload(place), 1000);
  };
  const sight = new IntersectionObserver(
    (sights) => {
      if (!sights.at(-1)?.isIntersecting) return;
      sight.disconnect();
      if (document.readyState === "complete") idle();
      else addEventListener("load", idle, { once: true });
    },
    { rootMargin: "100% 0px" },
  );
  sight.observe(place);
}
