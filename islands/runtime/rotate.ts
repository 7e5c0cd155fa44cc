/**
 * Rotates the cards of [data-rotate], each for its milliseconds. Pauses while the pointer or focus is inside, and after Pause;
 * dots show their card, a swipe a neighbour. With prefers-reduced-motion cards change only by dots and swipes; without dots all
 * cards are visible, as without scripts.
 */
export function rotate(place: HTMLElement): void {
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const dots = [...place.querySelectorAll(".dots button")];
  if (still && dots.length === 0) return;
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
    dots.forEach((dot, i) => {
      if (i === active) dot.setAttribute("aria-current", "true");
      else dot.removeAttribute("aria-current");
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
  dots.forEach((dot, i) => {
    dot.addEventListener("click", () => show(i));
  });
  if (dots.length > 0) swipe(strip, (by) => show(active + by));
  place.dataset.live = still ? "still" : "";
  hold("", false);
}

/** Calls turn with 1 after a swipe to the left, with -1 after one to the right. */
function swipe(strip: HTMLElement, turn: (by: number) => void): void {
  let from = 0;
  strip.addEventListener("touchstart", ({ touches }) => (from = touches[0]?.clientX ?? 0), { passive: true });
  strip.addEventListener("touchend", ({ changedTouches }) => {
    const by = from - (changedTouches[0]?.clientX ?? from);
    if (Math.abs(by) > 40) turn(Math.sign(by));
  });
}
