/**
 * Rotates the cards of [data-rotate], each for its milliseconds. Pauses while the pointer or focus is inside, and after Pause;
 * previous and next show the neighbours. With prefers-reduced-motion cards change only by the next button; without that button
 * all cards are visible, as without scripts.
 */
export function rotate(place: HTMLElement): void {
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const next = place.querySelector(".next");
  if (still && !next) return;
  const strip = place.querySelector<HTMLElement>("ol, ul");
  const pause = place.querySelector<HTMLElement>(".pause");
  if (!strip || !pause) return;
  const cards = [...strip.querySelectorAll<HTMLElement>(":scope > *")];
  const holds = new Set<string>();
  let active = 0;
  let timer = 0;

  const show = (card: number): void => {
    active = (card + cards.length) % cards.length;
    cards.forEach((card, i) => {
      const distance = (i - active + cards.length) % cards.length;
      card.dataset.place =
        distance === 0 ? "active" : distance === 1 ? "next" : distance === cards.length - 1 ? "prev" : "rest";
    });
  };
  const schedule = (): void => {
    clearInterval(timer);
    if (!still && holds.size === 0) timer = window.setInterval(() => show(active + 1), Number(place.dataset.rotate));
  };
  const hold = (why: string, held: boolean): void => {
    if (held) holds.add(why);
    else holds.delete(why);
    pause.setAttribute("aria-pressed", String(holds.has("pause")));
    schedule();
  };

  place.addEventListener("mouseenter", () => hold("pointer", true));
  place.addEventListener("mouseleave", () => hold("pointer", false));
  place.addEventListener("focusin", () => hold("focus", true));
  place.addEventListener("focusout", () => hold("focus", false));
  pause.addEventListener("click", () => hold("pause", !holds.has("pause")));
  place.querySelector(".previous")?.addEventListener("click", () => show(active - 1));
  next?.addEventListener("click", () => show(active + 1));
  place.dataset.live = still ? "still" : "";
  hold("", false);
}
