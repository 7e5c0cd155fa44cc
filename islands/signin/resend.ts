/**
 * Disables the button until a code may be sent again and shows the remaining time, by the clock: browsers slow timers of hidden
 * tabs.
 */
export function countdown(place: HTMLElement, now: () => number = Date.now): void {
  const button = place.querySelector("button");
  const words = place.querySelector("span");
  const until = now() + Number(place.dataset.resend) * 1000;
  if (!button || !words) return;
  const left = document.createElement("b");
  words.replaceChildren("in ", left);
  const show = (): boolean => {
    const seconds = Math.max(0, Math.ceil((until - now()) / 1000));
    left.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    button.disabled = seconds > 0;
    words.hidden = seconds === 0;
    return seconds > 0;
  };
  if (!show()) return;
  const timer = setInterval(() => {
    if (!show()) clearInterval(timer);
  }, 1000);
}
