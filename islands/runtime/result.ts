// What a result page does by itself: a success leads on, a pending payment is asked for.

/**
 * [data-leave] holds the address to go to once the number in its [data-countdown] has reached 0.
 * Its [data-stay] button, hidden without this script, calls that off.
 */
export function redirectAfterCountdown(place: HTMLElement): void {
  const number = place.querySelector<HTMLElement>("[data-countdown]");
  const stay = place.querySelector<HTMLElement>("[data-stay]");
  const to = place.dataset.leave;
  if (!number || !to) return;
  let seconds = Number(number.dataset.countdown);
  const timer = setInterval(() => {
    seconds -= 1;
    number.textContent = String(Math.max(seconds, 0));
    if (seconds > 0) return;
    clearInterval(timer);
    location.assign(to);
  }, 1000);
  if (!stay) return;
  stay.hidden = false;
  stay.addEventListener("click", () => {
    clearInterval(timer);
    number.closest("p")?.remove();
    stay.remove();
  });
}

/** [data-poll] is the address of a page that is asked for every 3 s, and shown as soon as it has no [data-poll] any more. */
export function pollResult(place: HTMLElement): void {
  const address = place.dataset.poll;
  if (!address) return;
  const timer = setInterval(async () => {
    if (document.hidden) return;
    const answer = await fetch(address, { headers: { Accept: "text/html" } }).catch(() => null);
    if (!answer?.ok || (await answer.text()).includes("data-poll=")) return;
    clearInterval(timer);
    location.replace(address);
  }, 3000);
}
