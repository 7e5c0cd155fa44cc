// Searches countries by their common names.
import type { Country } from "../forms/check";

/** How a country is shown. */
export const label = ({ name, dial }: Country): string => `${name} (+${dial})`;

/** Letters without their marks, so that "aland" finds "Åland". */
const plain = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/**
 * How far a country is from the text: 0 called so or its ISO code, 1 its dial code, 2 a name or the dial code begins with it,
 * 3 a word of a name does, 4 a name holds it, 5 not at all. Figures are a dial code; the country that people mean by a shared
 * one is also called so.
 */
export function distance(country: Country, text: string): number {
  const query = plain(text.trim()).replace(/^(?=\d+$)/, "+");
  const { code, name, also = [], dial } = country;
  const names = [name, label(country), ...also].map(plain);
  if (code === query || names.includes(query)) return 0;
  if (`+${dial}` === query) return 1;
  if ([`+${dial}`, ...names].some((known) => known.startsWith(query))) return 2;
  if (names.some((known) => known.split(/[ &]+/).some((word) => word.startsWith(query)))) return 3;
  return names.some((known) => known.includes(query)) ? 4 : 5;
}

/** Returns the countries that match the text, the best first; among equals India, where most visitors are. */
export function search(countries: Country[], text: string): Country[] {
  if (!text.trim()) return countries;
  const far = countries.map((country) => distance(country, text));
  return [0, 1, 2, 3, 4]
    .map((near) => countries.filter((_, i) => far[i] === near))
    .flatMap((alike) => [...alike.filter(({ code }) => code === "in"), ...alike.filter(({ code }) => code !== "in")]);
}
