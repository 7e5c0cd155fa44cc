// What a result page does by itself: a success leads on, a pending payment is asked for.

/**
 * [data-leave] holds the address to go to once the number in its [data-countdown] has reached 0. The sentence around the
 * number and the [data-stay] button are seen once .counting is set; the status says it to ears once. That button calls it off,
 * and so does the first touch, key, scroll or focus: whoever reads is not led away. Nothing moves then, or what is being
 * pressed would slip from under the finger. Nor is it led on again whoever comes back: that would close the way back.
 */
export function redirectAfterCountdown(place: HTMLElement): void {
  const number = place.querySelector<HTMLElement>("[data-countdown]");
  const sentence = number?.closest("p");
  const stay = place.querySelector<HTMLElement>("[data-stay]");
  const said = place.querySelector("[role=status]");
  const to = place.dataset.leave;
  const [visit] = performance.getEntriesByType("navigation");
  const cameBack = visit && "type" in visit && visit.type === "back_forward";
  if (!number || !sentence || !stay || !to || cameBack) return;
  let seconds = Number(number.dataset.countdown);
  const touched = new AbortController();
  const timer = setInterval(() => {
    seconds -= 1;
    number.textContent = String(Math.max(seconds, 0));
    if (seconds > 0) return;
    clearInterval(timer);
    touched.abort();
    addEventListener("pagehide", callOff); // a browser may keep the page as it is, and show that again
    location.assign(to);
  }, 1000);
  const callOff = () => {
    clearInterval(timer);
    touched.abort();
    stay.setAttribute("aria-disabled", "true");
    sentence.setAttribute("aria-hidden", "true"); // the status says it to ears
    sentence.style.minBlockSize = `${sentence.offsetHeight}px`; // what it says now is shorter
    for (const place of [sentence, said]) if (place) place.textContent = "This page stays open.";
  };
  place.classList.add("counting");
  const tell = () => {
    if (said) said.textContent = sentence.textContent;
  };
  if (document.readyState === "complete") tell();
  else addEventListener("load", tell, { signal: touched.signal }); // before, nobody hears a status
  stay.addEventListener("click", callOff);
  for (const event of ["pointerdown", "keydown", "focusin", "wheel", "scroll"]) {
    addEventListener(event, callOff, { passive: true, signal: touched.signal });
  }
}

/** [data-arrives] is a ticket that closes its seal the first time that its page is seen: not after a reload or the way back. */
export function arrive(place: HTMLElement): void {
  if (history.state?.arrived) return;
  history.replaceState({ ...history.state, arrived: true }, "");
  place.classList.add("arriving");
}

/**
 * [data-poll] is the address of a page that is asked for every 3 s, and shown as soon as it has no [data-poll] any more. If
 * that is a success the line of steps closes first. The words in [data-asked] say how long ago the last answer was.
 */
export function pollResult(place: HTMLElement): void {
  const address = place.dataset.poll;
  if (!address) return;
  const asked = place.querySelector<HTMLElement>("[data-asked]");
  const ago = asked?.querySelector("span");
  let seconds = 0;
  const show = (since: number) => {
    seconds = since;
    if (ago) ago.textContent = seconds < 5 ? "just now" : `${seconds} s ago`;
  };
  asked?.classList.add("counting");
  const clock = setInterval(() => show(seconds + 1), 1000);
  const timer = setInterval(async () => {
    if (document.hidden) return;
    const answer = await fetch(address, { headers: { Accept: "text/html" } }).catch(() => null);
    if (!answer?.ok) return;
    const page = await answer.text();
    show(0);
    if (page.includes("data-poll=")) return;
    clearInterval(timer);
    clearInterval(clock);
    const closes = page.includes('data-outcome="paid"') && !matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (closes) place.classList.add("closing");
    if (closes) setTimeout(() => location.replace(address), 600);
    else location.replace(address);
  }, 3000);
}
