/** The menu of small screens is a popover, which Esc closes by itself; a chosen link closes it too. */
export function closeMenuOnChoice(menu: HTMLElement): void {
  menu.addEventListener("click", (event) => {
    if (event.target instanceof Element && event.target.closest("a") && menu.matches(":popover-open"))
      menu.hidePopover();
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

/** Hides an element while the one that it names is in view. */
export function hideWith(bar: HTMLElement): void {
  const other = document.querySelector(bar.dataset.hideWith ?? "");
  if (!other) return;
  new IntersectionObserver(([sight]) => {
    bar.inert = sight?.isIntersecting ?? false; // its place stays: nothing below it may jump
  }).observe(other);
}

export function showOffline(strip: HTMLElement): void {
  const show = (): void => {
    strip.hidden = navigator.onLine;
  };
  addEventListener("online", show);
  addEventListener("offline", show);
  show();
}
