import { expect, test } from "vitest";
import { chooseRank } from "./rank";

const row = (from: number, top: number, seats: string, sum: string, says: string): string =>
  `<tr data-from="${from}" data-top="${top}" data-seats="${seats}" data-says="${says}"><th>${from}</th><td>₹0</td><td><span class="rupee">₹</span>${sum}</td></tr>`;

function section(rank: number): HTMLElement {
  document.body.innerHTML = `<section><svg class="seats"></svg>
    <div class="rank-choice" hidden><output><b></b> <strong></strong> <span></span></output><label><input type="range" min="1" max="375" value="${rank}"><span class="rank-free">200</span><span class="rank-free">300</span></label></div>
    <table><tbody>${row(1, 0, "whole", "1,499", "in all.")}${row(201, 232, "part", "2,26,499", "and a half.")}${row(301, 352, "none", "4,51,499", "and all of it.")}</tbody></table></section>`;
  return document.body.firstElementChild as HTMLElement;
}

const shown = (): string => document.querySelector("output")?.textContent ?? "";
const ring = (): string[] => {
  const drawn = document.querySelector(".is-current");
  return [drawn?.getAttribute("class") ?? "", drawn?.getAttribute("transform") ?? ""];
};

test("each rank has a sentence and a ring around its seat", () => {
  for (const [rank, sentence, look, place] of [
    [1, "Rank 1 pays ₹1,499 in all.", "is-current seats-whole", "translate(0 0)"],
    [144, "Rank 144 pays ₹1,499 in all.", "is-current seats-whole", "translate(504 140)"],
    [200, "Rank 200 pays ₹1,499 in all.", "is-current seats-whole", "translate(672 196)"],
    [201, "Rank 201 pays ₹2,26,499 and a half.", "is-current seats-part", "translate(0 232)"],
    [300, "Rank 300 pays ₹2,26,499 and a half.", "is-current seats-part", "translate(672 316)"],
    [301, "Rank 301 pays ₹4,51,499 and all of it.", "is-current seats-none", "translate(0 352)"],
    [375, "Rank 375 pays ₹4,51,499 and all of it.", "is-current seats-none", "translate(672 408)"],
  ] as const) {
    const page = section(rank);
    chooseRank(page);
    expect(shown()).toBe(sentence);
    expect(ring()).toEqual([look, place]);
  }
});

test("the choice needs scripts and follows the slider, whose text is the same", () => {
  const place = section(144);
  const choice = place.querySelector<HTMLElement>(".rank-choice");
  expect(choice?.hidden).toBe(true);
  chooseRank(place);
  expect(choice?.hidden).toBe(false);
  const slider = place.querySelector("input") as HTMLInputElement;
  slider.value = "201";
  slider.dispatchEvent(new Event("input"));
  expect(shown()).toBe("Rank 201 pays ₹2,26,499 and a half.");
  expect(slider.getAttribute("aria-valuetext")).toBe("Rank 201 pays ₹2,26,499 and a half.");
  expect(place.querySelectorAll(".is-current")).toHaveLength(1);
  expect(place.querySelector("tbody")?.textContent).toContain("2,26,499"); // the table keeps the full amount
});

test("the chosen row is highlighted, and the section has a state for ranks without a seat", () => {
  for (const [rank, chosen, look] of [
    [200, ["is-chosen", "", ""], "whole"],
    [201, ["", "is-chosen", ""], "part"],
    [301, ["", "", "is-chosen"], "none"],
  ] as const) {
    const place = section(rank);
    chooseRank(place);
    expect([...place.querySelectorAll("tr")].map(({ className }) => className)).toEqual(chosen);
    expect(place.dataset.chosen).toBe(look);
  }
});

test("the slider shows where the seats end", () => {
  const place = section(1);
  chooseRank(place);
  const at = (share: number): string => `calc(14px + (100% - 28px) * ${share})`;
  const track = place.querySelector("input")?.style.getPropertyValue("--track");
  const [part, none] = [at(200 / 374), at(300 / 374)];
  expect(track).toBe(
    `linear-gradient(to right, var(--track-whole) ${at(0)} ${part}, var(--track-part) ${part} ${none}, var(--track-none) ${none} 100%)`,
  );
  const lasts = [...place.querySelectorAll<HTMLElement>(".rank-free")];
  expect(lasts.map(({ style }) => style.getPropertyValue("--at"))).toEqual([at(199 / 374), at(299 / 374)]);
});

test("for ranks without a seat the thumb does not cover the last seat's figure", () => {
  for (const [rank, past] of [
    [300, "0px"],
    [301, "18px"],
    [338, "9px"],
    [375, "0px"],
  ] as const) {
    const place = section(rank);
    chooseRank(place);
    expect(place.querySelector("input")?.style.getPropertyValue("--past")).toBe(past);
  }
});

test("focusing the slider updates an amount that a coupon has changed", () => {
  const place = section(1);
  chooseRank(place);
  place.querySelector("tr td:last-child")?.replaceChildren("₹999");
  expect(shown()).toBe("Rank 1 pays ₹1,499 in all.");
  place.querySelector("input")?.dispatchEvent(new Event("focus"));
  expect(shown()).toBe("Rank 1 pays ₹999 in all.");
});

test("a page without ranks is left alone", () => {
  document.body.innerHTML = "<section><table></table></section>";
  chooseRank(document.body.firstElementChild as HTMLElement);
  expect(document.querySelector(".is-current")).toBeNull();
});
