import { beforeEach, describe, expect, test, vi } from "vitest";
import countries from "../../forms/countries.json";
import { combobox } from "./combobox";
import { find, input, press, type } from "./fixture";
import { search } from "./search";

describe("the search for a country", () => {
  test.each([
    ["ind", ["India", "British Indian Ocean Territory", "Indonesia"]],
    ["aland", ["Åland Islands"]],
    ["kingdom", ["United Kingdom"]],
    ["+65", ["Singapore"]],
    ["zzzz", []],
  ])("for %s finds %j", (text, names) => {
    const found = search(countries, text).map(({ name }) => name);
    for (const name of names) expect(found).toContain(name);
    if (names.length < 2) expect(found.length).toBeLessThan(names.length === 0 ? 1 : 4);
  });

  test.each([
    ["UK", "United Kingdom"],
    ["uk", "United Kingdom"],
    ["england", "United Kingdom"],
    ["USA", "United States"],
    ["America", "United States"],
    ["bharat", "India"],
    ["ind", "India"],
    ["indo", "Indonesia"],
    ["i", "India"],
    ["ocean", "British Indian Ocean Territory"],
    ["united", "United Arab Emirates"],
    ["UAE", "United Arab Emirates"],
    ["Swaziland", "Eswatini"],
    ["Macedonia", "North Macedonia"],
    ["Holland", "Netherlands"],
    ["Turkey", "Türkiye"],
    ["in", "India"],
    ["+44", "United Kingdom"],
    ["44", "United Kingdom"],
    ["+1", "United States"],
    ["+7", "Russia"],
    ["+35", "Åland Islands"],
    ["+358", "Finland"],
    ["India (+91)", "India"],
  ])("for %s finds %s first", (text, name) => {
    expect(search(countries, text)[0]?.name).toBe(name);
  });

  test("finds all countries for an empty text", () => {
    expect(search(countries, " ")).toHaveLength(countries.length);
  });
});

describe("the country picker", () => {
  beforeEach(() => combobox(find<HTMLFormElement>("form"), countries));
  const chosen = (): string => find<HTMLSelectElement>("select").value;
  const blur = (): boolean => input("countryCode").dispatchEvent(new FocusEvent("blur"));
  const pointed = (): string | null => find("[aria-selected=true]").textContent;
  const options = (): string[] =>
    [...document.querySelectorAll("[role=option]")].map((option) => option.textContent ?? "");

  test("waits 250 ms after the last key", () => {
    type("countryCode", "sin");
    vi.advanceTimersByTime(249);
    type("countryCode", "singap");
    vi.advanceTimersByTime(249);
    expect(find("[role=listbox]").hidden).toBe(true);
    vi.advanceTimersByTime(1);
    expect(options()).toEqual(["Singapore (+65)"]);
    expect(input("countryCode").getAttribute("aria-expanded")).toBe("true");
    expect(find("[role=status]").textContent).toBe("1 country");
  });

  test("works by keyboard: arrows highlight, Enter chooses and sends nothing", () => {
    type("countryCode", "singapore");
    vi.advanceTimersByTime(250);
    press("ArrowDown");
    expect(input("countryCode").getAttribute("aria-activedescendant")).toBe(find("[aria-selected=true]").id);
    expect(press("Enter")).toBe(false);
    expect(find<HTMLSelectElement>("select").value).toBe("sg");
    expect(find<HTMLInputElement>("[name=dialLog]").value).toBe("65");
    expect(input("countryCode").value).toBe("Singapore (+65)");
    expect(find("[role=listbox]").hidden).toBe(true);
  });

  test.each([
    ["germany", "de"],
    ["nepal", "np"],
    ["+44", "gb"],
    ["uk", "gb"],
    ["united", "ae"],
  ])("takes the first hit for %s on Enter, at once and after a rest", (text, code) => {
    for (const rest of [0, 249, 1000]) {
      type("countryCode", text);
      vi.advanceTimersByTime(rest);
      expect(press("Enter")).toBe(false);
      vi.advanceTimersByTime(1000);
      expect(chosen()).toBe(code);
      expect(find("[role=listbox]").hidden).toBe(true);
      type("countryCode", "india");
      press("Enter");
    }
  });

  test.each([
    ["germany", "de"],
    ["nepal", "np"],
    ["singap", "sg"], // the only match
    ["england", "gb"],
    ["uk", "gb"],
    ["+44", "gb"],
    ["niger", "ne"], // although Nigeria also starts with it
    ["India (+91)", "in"],
  ])("takes the country that %s names when one leaves, at once and after a rest", (text, code) => {
    for (const rest of [0, 249, 1000]) {
      type("countryCode", text);
      vi.advanceTimersByTime(rest);
      blur();
      vi.advanceTimersByTime(1000);
      expect(chosen()).toBe(code);
      expect(input("countryCode").value).toMatch(/\(\+\d+\)$/);
      expect(find("[role=listbox]").hidden).toBe(true);
      type("countryCode", "india");
      press("Enter");
    }
  });

  test("replaces the chosen country's name by new typing", () => {
    const box = input("countryCode");
    box.focus();
    type("countryCode", "nepal");
    press("Enter");
    expect(box.value.slice(box.selectionStart ?? 0, box.selectionEnd ?? 0)).toBe("Nepal (+977)");
  });

  test("highlights a match at once: the first on Arrow Down, the last on Arrow Up", () => {
    type("countryCode", "germany");
    press("ArrowDown");
    expect(pointed()).toBe("Germany (+49)");
    type("countryCode", "united");
    press("ArrowDown");
    press("ArrowDown");
    expect(pointed()).toBe(options()[1]);
    type("countryCode", "uk");
    press("ArrowUp");
    expect(pointed()).toBe(options().at(-1));
    press("ArrowDown");
    vi.advanceTimersByTime(1000); // the list is not rebuilt under the pointer
    expect(pointed()).toBe("United Kingdom (+44)");
  });

  test("highlights the chosen country when nothing is typed", () => {
    press("ArrowDown");
    expect(pointed()).toBe("India (+91)");
    expect(options()).toHaveLength(countries.length);
  });

  test("chooses the highlighted country when the field is left", () => {
    type("countryCode", "uk");
    press("ArrowDown");
    press("ArrowDown");
    blur();
    expect(input("countryCode").value).toBe("Ukraine (+380)");
    expect(chosen()).toBe("ua");
  });

  test("restores the chosen country on Escape, and when the field is left empty", () => {
    for (const rest of [0, 250]) {
      type("countryCode", "u");
      vi.advanceTimersByTime(rest);
      expect(press("Escape")).toBe(false);
      expect(input("countryCode").value).toBe("India (+91)");
      expect(chosen()).toBe("in");
    }
    for (const leaves of [blur, () => press("Enter")]) {
      type("countryCode", " ");
      leaves();
      expect(input("countryCode").value).toBe("India (+91)");
      expect(chosen()).toBe("in");
    }
  });

  test.each(["united", "qqq"])("keeps %s and chooses none when the field is left, until it is corrected", (text) => {
    for (const rest of [0, 250]) {
      type("countryCode", text);
      vi.advanceTimersByTime(rest);
      blur();
      vi.advanceTimersByTime(1000);
      expect(input("countryCode").value).toBe(text);
      expect(chosen()).toBe("?"); // every rule rejects this value
      expect(find("[role=listbox]").hidden).toBe(true);
    }
    press("Escape");
    expect(input("countryCode").value).toBe("India (+91)");
    expect(chosen()).toBe("in");
    expect(press("Enter")).toBe(true); // the list is closed, so Enter sends
  });

  test("shows that no country was found and chooses none", () => {
    type("countryCode", "qqq");
    vi.advanceTimersByTime(250);
    expect(options()).toEqual(["No country found"]);
    expect(find("[role=listbox]").hidden).toBe(false);
    expect(find("[role=status]").textContent).toBe("No country found");
    press("ArrowDown");
    press("ArrowUp");
    expect(press("Enter")).toBe(false); // Enter does not send
    find("[role=option]").click();
    expect(input("countryCode").hasAttribute("aria-activedescendant")).toBe(false);
    expect(input("countryCode").value).toBe("qqq");
    expect(chosen()).toBe("?");
  });

  test("shows at once on Enter that no country was found, and sends nothing", () => {
    type("countryCode", "qqq");
    expect(press("Enter")).toBe(false);
    expect(options()).toEqual(["No country found"]);
    expect(input("countryCode").value).toBe("qqq");
  });

  test("opens with all countries on a click, and chooses the clicked one", () => {
    input("countryCode").click();
    expect(options()).toHaveLength(countries.length);
    const singapore = [...document.querySelectorAll<HTMLElement>("[role=option]")].find(
      (option) => option.textContent === "Singapore (+65)",
    );
    singapore?.click();
    expect(find<HTMLSelectElement>("select").value).toBe("sg");
  });
});
