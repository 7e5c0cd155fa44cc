import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import countries from "../../forms/countries.json";
import { combobox } from "./combobox";
import { search } from "./search";

vi.mock("htmx.org", () => ({ default: { config: {} } }));
const token = vi.hoisted(() => vi.fn(async () => "proof"));
vi.mock("../runtime/human", () => ({ humanToken: token }));

const { default: enquiry } = await import("./main");

const field = (name: string, control: string): string =>
  `<div class="field" data-field="${name}"><label class="label" for="f-enquiry-${name}">${name}</label><div class="control">${control}</div></div>`;
const choices = countries.map(
  ({ code, name, dial }) => `<option value="${code}"${code === "in" ? " selected" : ""}>${name} (+${dial})</option>`,
);
const markup = `<div data-island="enquiry"><form action="/enquiry" method="post" novalidate><div class="fields">
  ${field("fullname", '<input id="f-enquiry-fullname" name="fullname">')}
  ${field("email", '<input id="f-enquiry-email" name="email" type="email">')}
  ${field("countryCode", `<select id="f-enquiry-countryCode" name="countryCode">${choices.join("")}</select>`)}
  ${field("phone", '<input id="f-enquiry-phone" name="phone" type="tel">')}
  ${field("description", '<textarea id="f-enquiry-description" name="description"></textarea>')}
  </div><input type="hidden" name="dialLog" value=""><input type="hidden" name="captcha_token" value=""><button>Send my question</button></form></div><div id="toasts"></div>`;

const find = <T extends HTMLElement = HTMLElement>(selector: string): T => {
  const found = document.querySelector<T>(selector);
  if (!found) throw new Error(`nothing is ${selector}`);
  return found;
};
const messageAt = (name: string): string | undefined =>
  document.querySelector(`#e-enquiry-${name}`)?.textContent ?? undefined;
const input = (name: string): HTMLInputElement => find<HTMLInputElement>(`#f-enquiry-${name}`);
const type = (name: string, text: string): void => {
  input(name).value = text;
  input(name).dispatchEvent(new Event("input", { bubbles: true }));
};
const leave = (name: string): void => {
  input(name).dispatchEvent(new FocusEvent("focusout", { bubbles: true }));
};
const press = (key: string): boolean =>
  input("countryCode").dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));

beforeEach(() => {
  vi.useFakeTimers();
  token.mockClear();
  document.body.innerHTML = markup;
});
afterEach(() => {
  vi.useRealTimers();
});

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

  test("for nothing finds all", () => {
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

  test("is worked with keys alone: arrows point, Enter chooses and sends nothing", () => {
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
    ["singap", "sg"], // the only hit
    ["england", "gb"],
    ["uk", "gb"],
    ["+44", "gb"],
    ["niger", "ne"], // though Nigeria begins so too
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

  test("lets a next text take the place of the country that was chosen", () => {
    const box = input("countryCode");
    box.focus();
    type("countryCode", "nepal");
    press("Enter");
    expect(box.value.slice(box.selectionStart ?? 0, box.selectionEnd ?? 0)).toBe("Nepal (+977)");
  });

  test("points at hits of what is typed at once: the first on Arrow Down, the last on Arrow Up", () => {
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
    vi.advanceTimersByTime(1000); // the list is not made again below the pointer
    expect(pointed()).toBe("United Kingdom (+44)");
  });

  test("points at the chosen country when nothing is typed", () => {
    press("ArrowDown");
    expect(pointed()).toBe("India (+91)");
    expect(options()).toHaveLength(countries.length);
  });

  test("takes the country that is pointed at when one leaves a text", () => {
    type("countryCode", "uk");
    press("ArrowDown");
    press("ArrowDown");
    blur();
    expect(input("countryCode").value).toBe("Ukraine (+380)");
    expect(chosen()).toBe("ua");
  });

  test("gives the chosen country back on Escape, and when an empty box is left", () => {
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

  test.each(["united", "qqq"])("keeps %s and chooses none when one leaves it, until it is put right", (text) => {
    for (const rest of [0, 250]) {
      type("countryCode", text);
      vi.advanceTimersByTime(rest);
      blur();
      vi.advanceTimersByTime(1000);
      expect(input("countryCode").value).toBe(text);
      expect(chosen()).toBe("?"); // which no rule lets pass
      expect(find("[role=listbox]").hidden).toBe(true);
    }
    press("Escape");
    expect(input("countryCode").value).toBe("India (+91)");
    expect(chosen()).toBe("in");
    expect(press("Enter")).toBe(true); // nothing is open: it sends
  });

  test("says that no country is found, and chooses none", () => {
    type("countryCode", "qqq");
    vi.advanceTimersByTime(250);
    expect(options()).toEqual(["No country found"]);
    expect(find("[role=listbox]").hidden).toBe(false);
    expect(find("[role=status]").textContent).toBe("No country found");
    press("ArrowDown");
    press("ArrowUp");
    expect(press("Enter")).toBe(false); // it sends nothing
    find("[role=option]").click();
    expect(input("countryCode").hasAttribute("aria-activedescendant")).toBe(false);
    expect(input("countryCode").value).toBe("qqq");
    expect(chosen()).toBe("?");
  });

  test("says at once on Enter that no country is found, and sends nothing", () => {
    type("countryCode", "qqq");
    expect(press("Enter")).toBe(false);
    expect(options()).toEqual(["No country found"]);
    expect(input("countryCode").value).toBe("qqq");
  });

  test("opens on a click with all countries, and takes a click on one", () => {
    input("countryCode").click();
    expect(options()).toHaveLength(countries.length);
    const singapore = [...document.querySelectorAll<HTMLElement>("[role=option]")].find(
      (option) => option.textContent === "Singapore (+65)",
    );
    singapore?.click();
    expect(find<HTMLSelectElement>("select").value).toBe("sg");
  });
});

describe("the enquiry form", () => {
  beforeEach(() => enquiry(find("[data-island]")));

  test("says nothing while one types for the first time, then what is wrong, then that it is right", () => {
    type("fullname", "An");
    expect(messageAt("fullname")).toBeUndefined();
    leave("fullname");
    expect(messageAt("fullname")).toBe("Full Name must be 3-50 characters long and contain only letters and spaces!");
    expect(input("fullname").getAttribute("aria-describedby")).toBe("e-enquiry-fullname");
    type("fullname", "Ananya");
    expect(messageAt("fullname")).toBeUndefined();
    expect(input("fullname").hasAttribute("aria-invalid")).toBe(false);
  });

  test("judges the phone again when the country changes", () => {
    type("phone", "81234567");
    leave("phone");
    expect(messageAt("phone")).toBe("Indian phone number must start with 6-9 and be exactly 10 digits.");
    find<HTMLSelectElement>("select").value = "sg";
    find("select").dispatchEvent(new Event("change", { bubbles: true }));
    expect(messageAt("phone")).toBeUndefined();
  });

  const notChosen = "Please choose a country from the list.";
  const leaveCountry = (): void => {
    input("countryCode").dispatchEvent(new FocusEvent("blur"));
    leave("countryCode");
  };

  test.each(["united", "qqq"])("says at the field that %s chooses no country, until one is chosen", (text) => {
    type("countryCode", text);
    expect(messageAt("countryCode")).toBeUndefined();
    leaveCountry();
    expect(messageAt("countryCode")).toBe(notChosen);
    expect(input("countryCode").getAttribute("aria-invalid")).toBe("true");
    expect(input("countryCode").getAttribute("aria-describedby")).toBe("e-enquiry-countryCode");
    expect(input("countryCode").value).toBe(text);
    type("countryCode", "nepal");
    press("Enter");
    expect(messageAt("countryCode")).toBeUndefined();
    expect(input("countryCode").hasAttribute("aria-invalid")).toBe(false);
    type("countryCode", text);
    leaveCountry();
    expect(messageAt("countryCode")).toBe(notChosen);
    press("Escape");
    expect(messageAt("countryCode")).toBeUndefined();
    expect(input("countryCode").value).toBe("Nepal (+977)");
  });

  test("sends no country that was chosen before, while a text is undecided", () => {
    const sent = vi.fn();
    find("form").addEventListener("submit", sent);
    type("fullname", "Ananya Deshmukh");
    type("email", "ananya@example.com");
    type("phone", "98200 41567");
    for (const leaves of [() => {}, leaveCountry]) {
      type("countryCode", "united");
      leaves();
      find<HTMLFormElement>("form").requestSubmit();
      expect([...document.querySelectorAll(".error-summary li")].map((item) => item.textContent)).toEqual([notChosen]);
      expect(messageAt("countryCode")).toBe(notChosen);
      expect(input("countryCode").value).toBe("united");
    }
    find(".error-summary a").click();
    expect(document.activeElement).toBe(input("countryCode"));
    expect(sent).not.toHaveBeenCalled();
    expect(token).not.toHaveBeenCalled();
  });

  test("takes no more than 15 digits of a phone", () => {
    type("phone", "+12 345 678 901 234 567 89");
    expect(input("phone").value.replace(/[^0-9]/g, "")).toHaveLength(15);
  });

  test("lists what is wrong, moves there, and sends nothing", () => {
    const sent = vi.fn();
    find("form").addEventListener("submit", sent);
    find<HTMLFormElement>("form").requestSubmit();
    expect([...document.querySelectorAll(".error-summary li")].map((item) => item.textContent)).toEqual([
      "Full Name is required!",
      "Email is required!",
      "Phone number is required!",
    ]);
    expect(document.activeElement).toBe(find(".error-summary"));
    expect(sent).not.toHaveBeenCalled();
    expect(token).not.toHaveBeenCalled();
  });

  test("passes the human check, then sends once", async () => {
    const sent = vi.fn((event: Event) => event.preventDefault());
    find("form").addEventListener("submit", sent);
    type("fullname", "Ananya Deshmukh");
    type("email", "ananya@example.com");
    type("phone", "98200 41567");
    find<HTMLFormElement>("form").requestSubmit();
    find<HTMLFormElement>("form").requestSubmit();
    await vi.runAllTimersAsync();
    expect(token).toHaveBeenCalledOnce();
    expect(sent).toHaveBeenCalledOnce();
    expect(find<HTMLInputElement>("[name=captcha_token]").value).toBe("proof");
  });

  describe("an answer", () => {
    const arrives = (status: number, text: string): boolean =>
      find("form").dispatchEvent(
        new CustomEvent("htmx:after:request", {
          bubbles: true,
          cancelable: true,
          detail: { ctx: { response: { status }, text } },
        }),
      );
    const fragment = '<form class="ticket" method="post" action="/enquiry"></form>';
    const unreadable = "We could not read the answer. What you typed is kept. Please try again.";

    test.each([
      ["that is the form takes its place", 200, fragment, true, ""],
      ["that is the form with what is wrong takes its place", 422, fragment, true, ""],
      ["of a server at fault does not", 500, fragment, false, "Something went wrong."],
      ["that is a page of a refusal does not", 403, "<h1>No</h1>", false, "Something went wrong."],
      ["of somebody else, such as a hotel's network, does not", 200, "<h1>Log in</h1>", false, unreadable],
    ])("%s", (_, status, text, takesPlace, said) => {
      type("fullname", "Ananya Deshmukh");
      expect(arrives(status, text)).toBe(takesPlace);
      expect([find("#toasts").textContent, input("fullname").value]).toEqual([said, "Ananya Deshmukh"]);
    });

    test("that htmx tells of in another way does not", () => {
      const event = new CustomEvent("htmx:after:request", { bubbles: true, cancelable: true, detail: {} });
      expect(find("form").dispatchEvent(event)).toBe(false);
      expect(find("#toasts").textContent).toBe(unreadable);
    });

    test.each([
      [true, "We cannot be reached at the moment. What you typed is kept. Please try again."],
      [false, "You are offline. What you typed is kept."],
    ])("that does not come leaves the form, which can be sent again (online: %s)", (onLine, text) => {
      const online = vi.spyOn(navigator, "onLine", "get").mockReturnValue(onLine);
      find("form").setAttribute("aria-busy", "true");
      find("form").dispatchEvent(new CustomEvent("htmx:error", { bubbles: true }));
      expect(find("#toasts").textContent).toBe(text);
      expect(find("form").hasAttribute("aria-busy")).toBe(false);
      online.mockRestore();
    });
  });

  test("says it in a toast when the answer says that it was sent", async () => {
    const fresh = find("form").cloneNode(true) as HTMLElement;
    fresh.insertAdjacentHTML("afterbegin", "<p data-sent>Request successfully submitted.</p>");
    find("form").replaceWith(fresh);
    await vi.advanceTimersByTimeAsync(0);
    expect(find("#toasts").textContent).toBe("Request successfully submitted.");
    vi.advanceTimersByTime(3000);
    expect(find("#toasts").textContent).toBe("");
  });

  test("keeps a refusal that speaks of no field in a toast", async () => {
    const fresh = find("form").cloneNode(true) as HTMLElement;
    fresh.insertAdjacentHTML("afterbegin", '<div class="error-summary"><ul><li> Too many tries. </li></ul></div>');
    find("form").replaceWith(fresh);
    await vi.advanceTimersByTimeAsync(0);
    vi.advanceTimersByTime(60_000);
    expect(find("#toasts [role=alert]").textContent).toBe("Too many tries.");
  });
});
