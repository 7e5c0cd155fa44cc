// Result pages: a success continues by itself, a pending payment is polled.

/**
 * Opens the address in [data-leave] when the number in its [data-countdown] reaches 0. Class .is-counting shows the sentence
 * around the number and the [data-stay] button; the status announces it once. The button cancels the countdown, as does the first
 * touch, key, scroll or focus, because the visitor is reading. Sentence and button disappear then; during a press they keep their
 * place, so that it hits its target. Class .is-over removes them. A page reached by Back does not count again.
 */
export function redirectAfterCountdown(place: HTMLElement): void {
  const number = place.querySelector<HTMLElement>("[data-countdown]");
  const sentence = number?.closest("p");
  const stay = place.querySelector<HTMLElement>("[data-stay]");
  const said = place.querySelector("[role=status]");
  const to = place.dataset.leave;
  const [visit] = performance.getEntriesByType("navigation");
  const cameBack = visit && "type" in visit && visit.type === "back_forward";
  const end = () => place.classList.add("is-over");
  if (cameBack) end();
  if (!number || !sentence || !stay || !to || cameBack) return;
  let seconds = Number(number.dataset.countdown);
  const touched = new AbortController();
  const timer = setInterval(() => {
    seconds -= 1;
    number.textContent = String(Math.max(seconds, 0));
    if (seconds > 0) return;
    clearInterval(timer);
    touched.abort();
    addEventListener("pagehide", callOff); // the back/forward cache may show the page again
    location.assign(to);
  }, 1000);
  const callOff = (event: Event) => {
    if (event.type !== "pointerdown") end();
    else for (const ended of ["click", "pointercancel"]) addEventListener(ended, end, { once: true });
    clearInterval(timer);
    touched.abort();
    if (document.activeElement === stay) place.querySelector("a")?.focus(); // a hidden button cannot keep the focus
    place.classList.remove("is-counting");
    if (said) said.textContent = "This page stays open.";
  };
  place.classList.add("is-counting");
  const tell = () => {
    if (said) said.textContent = sentence.textContent;
  };
  if (document.readyState === "complete") tell();
  else addEventListener("load", tell, { signal: touched.signal }); // screen readers ignore a status before load
  stay.addEventListener("click", callOff);
  for (const event of ["pointerdown", "keydown", "focusin", "wheel", "scroll"]) {
    addEventListener(event, callOff, { passive: true, signal: touched.signal });
  }
}

/** Animates the seal of a [data-arrives] ticket the first time only, not after a reload or Back. */
export function arrive(place: HTMLElement): void {
  if (history.state?.arrived) return;
  history.replaceState({ ...history.state, arrived: true }, "");
  place.classList.add("is-arriving");
}

/**
 * Requests the page at [data-poll] every 3 s and shows it once it has no [data-poll]. Before a success the line of steps
 * closes. [data-asked] shows the age of the last response.
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
  asked?.classList.add("is-counting");
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
    if (closes) place.classList.add("is-closing");
    if (closes) setTimeout(() => location.replace(address), 600);
    else location.replace(address);
  }, 3000);
}
