/** Shows a step's error in the application's header, as components/rail.templ does; "" shows none. */
export function tellRail(page: ParentNode, words: string): void {
  page.querySelector(".rail")?.classList.toggle("is-faulty", words !== "");
  const place = page.querySelector(".rail .rail-step > span");
  if (place) {
    place.querySelector("b")?.remove();
    place.textContent = (place.textContent ?? "").trim().replace(/,$/, "");
    if (words) {
      const strong = document.createElement("b");
      strong.textContent = words;
      place.append(place.textContent && ", ", strong);
    }
  }
  const stage = page.querySelector('.rail .stages [aria-current="step"] small');
  if (stage) stage.textContent = words.replace(/ answers?/, "") || "Now";
}
