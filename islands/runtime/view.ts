/**
 * The menu of small screens is a popover: Esc closes it and returns the focus. Opening focuses its close button. A chosen link
 * or focus elsewhere closes it, so that the focus never moves in the page underneath.
 */
export function closeMenuOnChoice(menu: HTMLElement): void {
  menu.addEventListener("toggle", () => {
    if (menu.matches(":popover-open")) menu.querySelector("button")?.focus();
  });
  menu.addEventListener("click", (event) => {
    if (event.target instanceof Element && event.target.closest("a") && menu.matches(":popover-open"))
      menu.hidePopover();
  });
  menu.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && !menu.contains(relatedTarget) && menu.matches(":popover-open"))
      menu.hidePopover();
  });
}

/** Closes an open details menu at Esc, at a press outside, and when the focus leaves it. */
export function closeMenuOutside(menu: HTMLElement): void {
  const close = (): void => menu.removeAttribute("open");
  const isOutside = (target: EventTarget | null): boolean => target instanceof Node && !menu.contains(target);
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.hasAttribute("open")) return;
    close();
    menu.querySelector("summary")?.focus();
  });
  menu.addEventListener("focusout", ({ relatedTarget }) => {
    if (isOutside(relatedTarget)) close();
  });
  document.addEventListener("pointerdown", ({ target }) => {
    if (isOutside(target)) close();
  });
}

/** Opens a link to a question as a dialog over this page. Without dialog support it stays a link. */
export function openDialog(link: HTMLElement): void {
  const dialog = document.getElementById(link.dataset.dialog ?? "");
  link.addEventListener("click", (event) => {
    if (!(dialog instanceof HTMLDialogElement) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    dialog.showModal();
  });
}

/** Spec §2: the video pauses when less than 25 % of it is visible. A click pauses it by its own controls. */
export function pauseOutOfSight(video: HTMLVideoElement): void {
  new IntersectionObserver(
    ([sight]) => {
      if (sight && sight.intersectionRatio < 0.25) video.pause();
    },
    { threshold: 0.25 },
  ).observe(video);
}

/** Plays the film when its dialog opens; the rule above pauses it when the dialog closes. */
export function playWhenOpened(window: HTMLElement): void {
  window.addEventListener("toggle", (event) => {
    if ("newState" in event && event.newState === "open") void window.querySelector("video")?.play();
  });
}

/** Apply Now focuses the form's first open field: on wide screens the form is already visible, and nothing else would respond. */
export function beginForm(place: HTMLElement): void {
  const hash = `#${place.id}`;
  const begin = (): void =>
    [...place.querySelectorAll<HTMLElement>("input, select, textarea")]
      .find((field) => field.tabIndex >= 0 && field.getClientRects().length > 0)
      ?.focus({ preventScroll: true });
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>(`a[href="${hash}"]`);
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault(); // following the link would move the focus again
    if (location.hash === hash) place.scrollIntoView();
    else location.hash = hash;
    begin();
  });
  if (location.hash === hash) begin();
}

/** Opens a folded answer that a link targets. */
export function openAnswers(page: Document): void {
  const open = (hash: string): void => {
    const answer = hash ? page.getElementById(hash.slice(1))?.closest("details") : null;
    if (answer) answer.open = true;
  };
  page.addEventListener("click", ({ target }) => {
    if (target instanceof Element) open(target.closest<HTMLAnchorElement>('a[href^="#"]')?.hash ?? "");
  });
  open(location.hash);
}

/**
 * Opens a fold if there is room. A fold that was used stays open when the window shrinks, for example when a tablet is turned, so
 * that input and errors stay visible.
 */
export function keepOpen(page: Document): void {
  page.addEventListener("focusin", ({ target }) => {
    const fold = target instanceof Element && !target.closest("summary") && target.closest<HTMLDetailsElement>(".fold");
    if (fold) fold.open = true;
  });
}

/** Hides an element until the one that it names is above the window. */
export function hideWith(bar: HTMLElement): void {
  const other = document.querySelector(bar.dataset.hideWith ?? "");
  if (!other) return;
  // Everything below the window counts as in view; otherwise a jump past the element would not be noticed.
  new IntersectionObserver(
    (sights) => {
      bar.inert = sights.at(-1)?.isIntersecting ?? false; // keeps its space, so that nothing below moves
    },
    { rootMargin: "0px 0px 100000px" },
  ).observe(other);
}

/** Removes promises about kept input from a page without inputs. */
export function showOffline(strip: HTMLElement): void {
  const show = (): void => {
    strip.hidden = navigator.onLine;
    const kept = strip.querySelector<HTMLElement>("[data-kept]");
    if (kept) kept.hidden = !document.querySelector("main :is(input:not([type=hidden]), textarea, select)");
  };
  addEventListener("online", show);
  addEventListener("offline", show);
  show();
}

/**
 * Scrolls a focused part of a wide strip fully into view. The strip itself is focusable, for arrow keys, only if it
 * overflows.
 */
export function pullSideways(strip: HTMLElement): void {
  strip.addEventListener("focusin", ({ target }) => {
    if (target instanceof HTMLElement && target !== strip)
      target.scrollIntoView({ block: "nearest", inline: "nearest" });
  });
  if (!strip.hasAttribute("tabindex")) return;
  new ResizeObserver(() => {
    if (strip.scrollWidth > strip.clientWidth) strip.tabIndex = 0;
    else strip.removeAttribute("tabindex");
  }).observe(strip);
}
