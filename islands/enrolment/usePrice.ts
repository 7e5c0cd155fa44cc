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
 * applied, [data-price-before] shows the struck fee, and [data-price-label] the text of data-price-with-coupon and the code.
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
    for (const before of document.querySelectorAll<HTMLElement>("[data-price-before]")) before.hidden = !coupon;
    for (const label of document.querySelectorAll<HTMLElement>("[data-price-label]")) {
      const { priceLabel = "", priceWithCoupon } = label.dataset;
      label.textContent = coupon ? `${priceWithCoupon} ${coupon}` : priceLabel;
    }
  }, [final, coupon]);
}
