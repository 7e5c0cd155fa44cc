import { useEffect } from "react";
import { type Island, usePart } from "./island.ts";

/**
 * Writes the price wherever else the page shows it, so that there is one: [data-price] holds the sum, and what stands at it
 * may be said otherwise while a coupon counts, [data-price-with-coupon="with your coupon"].
 */
export function usePrice(island: Island): void {
  const { final, coupon } = usePart(island, ({ view }) => view.price);
  useEffect(() => {
    for (const place of document.querySelectorAll<HTMLElement>("[data-price]")) place.textContent = final;
    for (const place of document.querySelectorAll<HTMLElement>("[data-price-with-coupon]")) {
      place.dataset.priceBefore ??= place.textContent ?? "";
      place.textContent = (coupon ? place.dataset.priceWithCoupon : place.dataset.priceBefore) ?? "";
    }
  }, [final, coupon]);
}
