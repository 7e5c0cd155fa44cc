/**
 * The menu of small screens is a popover, which Esc closes by itself, and gives the focus back. Opened it has the focus, on
 * what closes it. A chosen link closes it too, and so does whoever leaves it with the keyboard: the page underneath is not to
 * be walked through unseen.
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

/** A menu that folds open without a script closes at Esc, and once one is done with it: by a press or with the focus elsewhere. */
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

/** A link to a page that asks a question opens the same question over this one. Where dialogs are unknown it stays a link. */
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

/** Opening the film's window means to play it; that it pauses when the window closes is the rule above. */
export function playWhenOpened(window: HTMLElement): void {
  window.addEventListener("toggle", (event) => {
    if ("newState" in event && event.newState === "open") void window.querySelector("video")?.play();
  });
}

/**
 * Apply Now leads into the form: its first open field takes the focus. Where the form is in sight already, as beside the
 * words of a wide screen, nothing else would answer the press.
 */
export function beginForm(place: HTMLElement): void {
  const hash = `#${place.id}`;
  const begin = (): void =>
    [...place.querySelectorAll<HTMLElement>("input, select, textarea")]
      .find((field) => field.tabIndex >= 0 && field.getClientRects().length > 0)
      ?.focus({ preventScroll: true });
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>(`a[href="${hash}"]`);
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault(); // the jump would take the focus away again
    if (location.hash === hash) place.scrollIntoView();
    else location.hash = hash;
    begin();
  });
  if (location.hash === hash) begin();
}

/** A link to an answer that is folded away opens it. */
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
 * Where there is room, the content of a fold stands without being opened. Who has been in it keeps it when the room gets
 * less, as when a tablet is turned: what was typed, and what is wrong with it, must not be folded away.
 */
export function keepOpen(page: Document): void {
  page.addEventListener("focusin", ({ target }) => {
    const fold = target instanceof Element && !target.closest("summary") && target.closest<HTMLDetailsElement>(".fold");
    if (fold) fold.open = true;
  });
}

/** Hides an element until the one that it names has gone out of view at the top. */
export function hideWith(bar: HTMLElement): void {
  const other = document.querySelector(bar.dataset.hideWith ?? "");
  if (!other) return;
  // Whatever is below the window counts as in view: else a jump over the other would go unnoticed.
  new IntersectionObserver(
    (sights) => {
      bar.inert = sights.at(-1)?.isIntersecting ?? false; // its place stays: nothing below it may jump
    },
    { rootMargin: "0px 0px 100000px" },
  ).observe(other);
}

/** Where nothing can be typed, nothing is promised of what was typed. */
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
 * A strip that is wider than its room is pulled sideways: what gets the focus in it is brought into sight whole. One that
 * takes the focus itself, so that arrow keys move it, does so only where there is something to move.
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
