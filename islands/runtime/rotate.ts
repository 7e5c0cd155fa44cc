/**
 * Shows the cards of [data-rotate] one after another, each for so many milliseconds, with wrap-around. It stands still while
 * a pointer or the focus is in it, after Pause, and from the start under prefers-reduced-motion; dots jump to a card. Where
 * the cards stand in a strip to swipe, the strip follows, and a swipe counts as a jump.
 */
export function rotate(place: HTMLElement): void {
  const strip = place.querySelector<HTMLElement>("ol, ul");
  const pause = place.querySelector<HTMLElement>(".pause");
  const dots = [...place.querySelectorAll(".dot")];
  if (!strip || !pause) return;
  const cards = [...strip.querySelectorAll<HTMLElement>(":scope > *")];
  const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const holds = new Set<string>(reducedMotion ? ["pause"] : []);
  let active = 0;
  let timer = 0;

  const show = (next: number): void => {
    active = (next + cards.length) % cards.length;
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
  const leftOf = (card: HTMLElement | undefined): number =>
    card && cards[0] ? card.offsetLeft - cards[0].offsetLeft : 0;
  const goTo = (next: number): void => {
    show(next);
    strip.scrollTo?.({ left: leftOf(cards[active]), behavior: reducedMotion ? "auto" : "smooth" });
  };
  const schedule = (): void => {
    clearInterval(timer);
    if (holds.size === 0) timer = window.setInterval(() => goTo(active + 1), Number(place.dataset.rotate));
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
    dot.addEventListener("click", () => goTo(i));
  });
  let swiping = 0;
  strip.addEventListener(
    "scroll",
    () => {
      clearTimeout(swiping);
      swiping = window.setTimeout(() => {
        if (strip.scrollWidth <= strip.clientWidth) return;
        const off = cards.map((card) => Math.abs(leftOf(card) - strip.scrollLeft));
        show(off.indexOf(Math.min(...off)));
      }, 150);
    },
    { passive: true },
  );
  place.dataset.live = "";
  hold("", false);
}
