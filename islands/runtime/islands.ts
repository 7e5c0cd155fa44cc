import { hasDataOf } from "./storage.ts";

interface Island {
  default?: (place: HTMLElement) => void;
}

/**
 * Loads the script of an island, [data-island][data-src], at the first pointer, key or focus in it, and hands it its place.
 * Who was faster than this script, and types already, counts too. An island with data in tab storage loads at once, and so
 * does one whose page asks for it, [data-at-once]: what is typed while the line is cut is kept by its script.
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
    load(source).then(
      (island) => island.default?.(place),
      () => touched.delete(place), // offline: the next touch tries again, and the form works as it is
    );
  };
  for (const kind of ["pointerdown", "keydown", "focusin"])
    root.addEventListener(kind, (event) => wake(event.target), { passive: true });
  wake(root.activeElement);
  for (const place of root.querySelectorAll<HTMLElement>("[data-island]"))
    if ("atOnce" in place.dataset || hasDataOf(place.dataset.island)) wake(place);
}
