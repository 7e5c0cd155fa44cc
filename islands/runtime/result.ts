// What a result page does by itself: a success leads on, a pending payment is asked for.

/**
 * [data-leave] holds the address to go to once the number in its [data-countdown] has reached 0. The sentence around the
 * number and the [data-stay] button are seen once .counting is set. That button calls it off, and so does the first touch,
 * key or scroll: whoever reads is not led away. Nothing moves then, or what is being pressed would slip from under the finger.
 */
export function redirectAfterCountdown(place: HTMLElement): void {
  const number = place.querySelector<HTMLElement>("[data-countdown]");
  const sentence = number?.closest("p");
  const stay = place.querySelector<HTMLElement>("[data-stay]");
  const to = place.dataset.leave;
  if (!number || !sentence || !stay || !to) return;
  let seconds = Number(number.dataset.countdown);
  const touched = new AbortController();
  const timer = setInterval(() => {
    seconds -= 1;
    number.textContent = String(Math.max(seconds, 0));
    if (seconds > 0) return;
    clearInterval(timer);
    touched.abort();
    location.assign(to);
  }, 1000);
  const callOff = () => {
    clearInterval(timer);
    touched.abort();
    stay.setAttribute("aria-disabled", "true");
    sentence.setAttribute("aria-hidden", "true"); // the status says it to ears
    for (const said of [sentence, place.querySelector("[role=status]")]) {
      if (said) said.textContent = "This page stays open.";
    }
  };
  place.classList.add("counting");
  stay.addEventListener("click", callOff);
  for (const event of ["pointerdown", "keydown", "wheel", "scroll"]) {
    addEventListener(event, callOff, { passive: true, signal: touched.signal });
  }
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
