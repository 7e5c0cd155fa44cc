const duration = 3000; // ms

/** Outcome; still: none yet, still running. */
type Outcome = "success" | "failed" | "still";

const outcomes = {
  success: { said: "Success! ", sign: "tick" },
  failed: { said: "Failed! ", sign: "cross" },
  still: { said: "", sign: "bang" },
};

/**
 * Shows and announces a message in a corner for 3 s, or until closed for a failure.
 * @param place also shows a failure as its last line, until the next message there
 */
export function toast(text: string, outcome: Outcome = "success", place?: Element | null): void {
  const failed = outcome === "failed";
  if (failed && place) beside(text, place);
  else place?.querySelector(":scope > .inline-error")?.remove();
  const corner = document.getElementById("toasts");
  if (!corner) return;
  const strip = document.createElement("div");
  strip.className = failed ? "toast toast-failed" : "toast";
  const words = document.createElement("p");
  const said = document.createElement("b");
  said.textContent = outcomes[outcome].said;
  words.append(said, text);
  strip.append(icon(outcomes[outcome].sign), words);
  if (failed) {
    const close = document.createElement("button");
    close.className = "close";
    close.type = "button";
    close.setAttribute("aria-label", "Close");
    close.append(icon("cross"));
    strip.append(close);
  } else {
    setTimeout(() => strip.remove(), duration);
  }
  corner.append(strip);
}

/** Shows a failure as the last line of an element, until the next message there. */
export function beside(text: string, place: Element, role?: "alert"): HTMLElement {
  place.querySelector(":scope > .inline-error")?.remove();
  const line = inline(text);
  if (role) line.setAttribute("role", role);
  place.append(line);
  return line;
}

/** Handles the close buttons of all toasts. */
export function dismissible(place: HTMLElement): void {
  place.addEventListener("click", (event) => {
    if (event.target instanceof Element && event.target.closest(".close")) event.target.closest(".toast")?.remove();
  });
}

/** Not announced, because the toast is. */
function inline(text: string): HTMLElement {
  const line = document.createElement("p");
  line.className = "notice notice-failed inline-error";
  const words = document.createElement("span");
  words.textContent = text;
  line.append(icon("bang"), words);
  return line;
}

function icon(name: string): HTMLElement {
  const sign = document.createElement("span");
  sign.className = `icon icon-${name}`;
  sign.setAttribute("aria-hidden", "true");
  return sign;
}
