import { useEffect } from "react";
import { usePart } from "../forms/island.ts";
import type { Island } from "./island.ts";
import { money } from "./money.ts";

/** A sum raised by whole units, written as the sum is. */
function raised(sum: string, by: number): string {
  return sum.replace(/[\d.,]+/, (figure) => money(Number(figure.replaceAll(",", "")) + by, "INR").slice(1));
}

/**
 * Writes the price wherever else the page shows it, so that there is one: [data-price] holds the sum, with the tuition of
 * its data-tuition added, and what stands at it may be said otherwise while a coupon counts,
 * [data-price-with-coupon="with your coupon"].
 */
export function usePrice(island: Island): void {
  const { final, coupon } = usePart(island, ({ view }) => view.price);
  useEffect(() => {
    for (const place of document.querySelectorAll<HTMLElement>("[data-price]")) {
      const sum = raised(final, Number(place.dataset.tuition ?? 0));
      const sign = place.querySelector(".rupee"); // keeps its distance from the figure
      if (sign) place.replaceChildren(sign, sum.slice(1));
      else place.textContent = sum;
    }
    for (const place of document.querySelectorAll<HTMLElement>("[data-price-with-coupon]")) {
      place.dataset.priceBefore ??= place.textContent ?? "";
      place.textContent = (coupon ? place.dataset.priceWithCoupon : place.dataset.priceBefore) ?? "";
    }
  }, [final, coupon]);
}
