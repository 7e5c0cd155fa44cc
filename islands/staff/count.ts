/** Milliseconds after the last change. */
const PAUSE = 300;

/** Counts again what a form selects whenever it changes: the parts of the page that its data-count names are replaced by the server's. */
export function count(form: HTMLFormElement): void {
  let timer = 0;
  let latest = 0;
  const ask = async () => {
    const mine = ++latest;
    const address = `${form.action}?${new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]))}`;
    const answer = await fetch(address).catch(() => null);
    if (!answer?.ok || mine !== latest) return; // the button Count still works
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const id of form.dataset.count?.split(" ") ?? []) {
      const part = fresh.getElementById(id);
      if (part) document.getElementById(id)?.replaceChildren(...part.childNodes);
    }
  };
  form.addEventListener("input", () => {
    window.clearTimeout(timer);
    timer = window.setTimeout(ask, PAUSE);
  });
}
