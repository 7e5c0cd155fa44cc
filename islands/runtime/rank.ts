// Measures of the picture: components/seats.go.
const columns = 25;
const tile = 28;

/**
 * Lets one choose a rank: says what it pays, and rings its seat. All it knows stands in the table's rows: the first rank of
 * each, the height of its seats in the picture, and what its sum consists of.
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

  const show = (): void => {
    const rank = slider.valueAsNumber;
    const row = rows.find(({ dataset }) => Number(dataset.from) <= rank);
    if (!row) return;
    const seat = rank - Number(row.dataset.from);
    const y = Number(row.dataset.top) + Math.floor(seat / columns) * tile;
    ring.setAttribute("transform", `translate(${(seat % columns) * tile} ${y})`);
    ring.setAttribute("class", `here seats-${row.dataset.seats}`);
    title.textContent = `Rank ${rank} pays`;
    sum.replaceChildren(...[...(row.lastElementChild?.childNodes ?? [])].map((node) => node.cloneNode(true)));
    what.textContent = row.dataset.says ?? "";
    slider.setAttribute("aria-valuetext", `${title.textContent} ${sum.textContent} ${what.textContent}`);
  };
  slider.addEventListener("input", show);
  show();
  choice.hidden = false;
}
