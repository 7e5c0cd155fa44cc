const duration = 3000; // ms

/** Says in a corner what happened: a success for 3 s, a failure until it is dismissed. */
export function toast(text: string, failed = false, sign = failed ? "bang" : "tick"): void {
  const place = document.getElementById("toasts");
  if (!place) return;
  const strip = document.createElement("div");
  strip.className = "toast";
  strip.setAttribute("role", failed ? "alert" : "status");
  const words = document.createElement("p");
  words.textContent = text;
  strip.append(icon(sign), words);
  if (failed) {
    const close = document.createElement("button");
    close.className = "close";
    close.type = "button";
    close.setAttribute("aria-label", "Dismiss");
    close.append(icon("cross"));
    strip.append(close);
  } else {
    setTimeout(() => strip.remove(), duration);
  }
  place.append(strip);
}

/** Lets the close button of each toast in its place work. */
export function dismissible(place: HTMLElement): void {
  place.addEventListener("click", (event) => {
    if (event.target instanceof Element && event.target.closest(".close")) event.target.closest(".toast")?.remove();
  });
}

function icon(name: string): HTMLElement {
  const sign = document.createElement("span");
  sign.className = `icon icon-${name}`;
  sign.setAttribute("aria-hidden", "true");
  return sign;
}
