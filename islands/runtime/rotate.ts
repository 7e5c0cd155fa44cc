/**
 * Shows the cards of [data-rotate] one after another, each for so many milliseconds, with wrap-around. It stands still while
 * a pointer or the focus is in it, and after Pause; previous and next lead to a card's neighbours. Under
 * prefers-reduced-motion nothing changes by itself: where there is a next button one goes on by hand, elsewhere all of them
 * are seen at once, as without a script.
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
