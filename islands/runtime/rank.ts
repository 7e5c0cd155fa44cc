// components/seats.go defines the picture's measures.
const columns = 25;
const tile = 28;

/** Position of a rank on the slider, whose thumb is 28 px wide. */
function placeOn({ min, max }: HTMLInputElement, rank: number): string {
  return `calc(14px + (100% - 28px) * ${(rank - Number(min)) / (Number(max) - Number(min))})`;
}

/**
 * Shows the price of the chosen rank and rings its seat. The table's rows have the data: first rank, height of the seats in the
 * picture, parts of the amount.
 */
export function chooseRank(place: HTMLElement): void {
  const choice = place.querySelector<HTMLElement>(".rank-choice");
  const slider = choice?.querySelector("input");
  const seats = place.querySelector(".seats");
  const [title, sum, what] = choice?.querySelectorAll("b, strong, output > span") ?? [];
  const rows = [...place.querySelectorAll<HTMLElement>("[data-from]")].reverse();
  if (!choice || !slider || !seats || !title || !sum || !what) return;
  const ring = document.createElementNS("http://www.w3.org/2000/svg", "g");
  ring.innerHTML = '<circle class="halo" r="16"/><circle class="pin" r="8"/>';
  seats.append(ring);

  // The track shows which ranks have a seat, with the last rank of each kind below. For later ranks the thumb is moved away from
  // that figure and from the ranks with seats, because a rank is less than a pixel wide.
  const stretches = rows.map(({ dataset: { from, seats } }, i) => {
    const before = rows[i - 1]?.dataset.from;
    return `var(--track-${seats}) ${placeOn(slider, Number(from))} ${before ? placeOn(slider, Number(before)) : "100%"}`;
  });
  slider.style.setProperty("--track", `linear-gradient(to right, ${stretches.reverse().join(", ")})`);
  for (const last of choice.querySelectorAll<HTMLElement>(".rank-free"))
    last.style.setProperty("--at", placeOn(slider, Number(last.textContent)));

  const show = (): void => {
    const rank = slider.valueAsNumber;
    const row = rows.find(({ dataset }) => Number(dataset.from) <= rank);
    if (!row) return;
    const seat = rank - Number(row.dataset.from);
    const y = Number(row.dataset.top) + Math.floor(seat / columns) * tile;
    ring.setAttribute("transform", `translate(${(seat % columns) * tile} ${y})`);
    ring.setAttribute("class", `is-current seats-${row.dataset.seats}`);
    place.dataset.chosen = row.dataset.seats;
    const left = (Number(slider.max) - rank) / (Number(slider.max) - Number(row.dataset.from));
    slider.style.setProperty("--past", row.dataset.seats === "none" ? `${Math.round(18 * left)}px` : "0px");
    for (const other of rows) other.classList.toggle("is-chosen", other === row);
    title.textContent = `Rank ${rank} pays`;
    sum.replaceChildren(...[...(row.lastElementChild?.childNodes ?? [])].map((node) => node.cloneNode(true)));
    what.textContent = row.dataset.says ?? "";
    slider.setAttribute("aria-valuetext", `${title.textContent} ${sum.textContent} ${what.textContent}`);
  };
  slider.addEventListener("input", show);
  slider.addEventListener("focus", show); // a coupon may have changed the amounts
  show();
  choice.hidden = false;
}
