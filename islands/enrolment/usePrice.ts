import { useEffect } from "react";
import { usePart } from "../forms/island.ts";
import type { Island } from "./island.ts";
import { money } from "./money.ts";

/** Adds whole units to a formatted amount. */
function raised(sum: string, by: number): string {
  return sum.replace(/[\d.,]+/, (figure) => money(Number(figure.replaceAll(",", "")) + by, "INR").slice(1));
}

/**
 * Updates the price everywhere on the page: elements with [data-price] show it, plus their data-tuition. While a coupon is
 * applied, elements with [data-price-with-coupon="with your coupon"] show that text instead of their own.
 */
export function usePrice(island: Island): void {
  const { final, coupon } = usePart(island, ({ view }) => view.price);
  useEffect(() => {
    for (const place of document.querySelectorAll<HTMLElement>("[data-price]")) {
      const sum = raised(final, Number(place.dataset.tuition ?? 0));
      const sign = place.querySelector(".rupee"); // has its own space before the figure
      if (sign) place.replaceChildren(sign, sum.slice(1));
      else place.textContent = sum;
    }
    for (const place of document.querySelectorAll<HTMLElement>("[data-price-with-coupon]")) {
      place.dataset.priceBefore ??= place.textContent ?? "";
      place.textContent = (coupon ? place.dataset.priceWithCoupon : place.dataset.priceBefore) ?? "";
    }
  }, [final, coupon]);
}
