// Searches countries by their common names.
import type { Country } from "../forms/check";

/** Returns a country's label. */
export const label = ({ name, dial }: Country): string => `${name} (+${dial})`;

/** Removes diacritics, so that "aland" finds "Åland". */
const plain = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/**
 * Returns how well a country matches the text: 0 its name or ISO code, 1 its dial code, 2 prefix of a name or dial code, 3 prefix
 * of a word of a name, 4 part of a name, 5 no match. Digits are a dial code; of countries that share one, the usual one has it as
 * a name.
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

/** Returns the countries that match the text, best first; among equals India comes first, where most visitors are. */
export function search(countries: Country[], text: string): Country[] {
  if (!text.trim()) return countries;
  const far = countries.map((country) => distance(country, text));
  return [0, 1, 2, 3, 4]
    .map((near) => countries.filter((_, i) => far[i] === near))
    .flatMap((alike) => [...alike.filter(({ code }) => code === "in"), ...alike.filter(({ code }) => code !== "in")]);
}
