import { beforeEach, describe, expect, test, vi } from "vitest";
import { find, input, leave, messageAt, press, type } from "./fixture";

vi.mock("htmx.org", () => ({ default: { config: {} } }));
const token = vi.hoisted(() => vi.fn(async () => "proof"));
vi.mock("../runtime/human", () => ({ humanToken: token }));

const { default: enquiry } = await import("./main");

describe("the enquiry form", () => {
  beforeEach(() => {
    token.mockClear();
    enquiry(find("[data-island]"));
  });

  test("shows no error during the first typing, then the error, then its correction", () => {
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

  test.each(["united", "qqq"])("shows at the field that %s is no country, until one is chosen", (text) => {
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

  test("does not send the previous country while a new text is undecided", () => {
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

  test("accepts at most 15 digits of a phone number", () => {
    type("phone", "+12 345 678 901 234 567 89");
    expect(input("phone").value.replace(/[^0-9]/g, "")).toHaveLength(15);
  });

  test("lists errors, focuses the list and sends nothing", () => {
    const sent = vi.fn();
    find("form").addEventListener("submit", sent);
    find<HTMLFormElement>("form").requestSubmit();
    expect([...document.querySelectorAll(".error-summary li")].map((item) => item.textContent)).toEqual([
      "Full Name is required!",
      "Email is required!",
      "Phone number is required!",
    ]);
    expect(find(".error-summary p").textContent).toBe("Please check these 3:");
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
      ["that says that it was sent takes its place", 200, "<div data-sent></div>", true, ""],
      ["of a server at fault does not", 500, fragment, false, "Something went wrong."],
      ["that is a page of a refusal does not", 403, "<h1>No</h1>", false, "Something went wrong."],
      ["of somebody else, such as a hotel's network, does not", 200, "<h1>Log in</h1>", false, unreadable],
    ])("%s", (_, status, text, takesPlace, toast) => {
      type("fullname", "Ananya Deshmukh");
      expect(arrives(status, text)).toBe(takesPlace);
      expect([find("#toasts").textContent, input("fullname").value]).toEqual([
        toast && `Failed! ${toast}`,
        "Ananya Deshmukh",
      ]);
    });

    test("that htmx reports by another event does not", () => {
      const event = new CustomEvent("htmx:after:request", { bubbles: true, cancelable: true, detail: {} });
      expect(find("form").dispatchEvent(event)).toBe(false);
      expect(find("#toasts").textContent).toBe(`Failed! ${unreadable}`);
    });

    test.each([
      [true, "We cannot be reached at the moment. What you typed is kept. Please try again."],
      [false, "Not sent: you are offline. Please try again once you are online."],
    ])("that does not come leaves the form, which can be sent again (online: %s)", (onLine, text) => {
      const online = vi.spyOn(navigator, "onLine", "get").mockReturnValue(onLine);
      find("form").setAttribute("aria-busy", "true");
      find("form").dispatchEvent(new CustomEvent("htmx:error", { bubbles: true }));
      expect([find("#toasts").textContent, find("form > .inline-error").textContent]).toEqual([
        `Failed! ${text}`,
        text,
      ]);
      expect(find("form").hasAttribute("aria-busy")).toBe(false);
      online.mockRestore();
    });
  });

  test("focuses the confirmation of a sent form, without a toast", async () => {
    document.title = "Error: HireSure";
    const sent = document.createElement("div");
    sent.innerHTML = '<div data-sent tabindex="-1" autofocus>Request successfully submitted.</div>';
    find("form").replaceWith(...sent.children);
    await vi.advanceTimersByTimeAsync(0);
    expect(document.activeElement).toBe(find("[data-sent]"));
    expect([find("#toasts").textContent, document.title]).toEqual(["", "HireSure"]);
  });

  test("updates summary and title when errors are corrected", () => {
    document.title = "HireSure";
    const items = (): (string | null)[] =>
      [...document.querySelectorAll(".error-summary li")].map((item) => item.textContent);
    type("phone", "98200 41567");
    find<HTMLFormElement>("form").requestSubmit();
    const [name, email] = ["Full Name is required!", "Email is required!"];
    expect([items(), document.title]).toEqual([[name, email], "Error: HireSure"]);
    type("email", "asha@");
    expect(items()).toEqual([name, "Invalid email format!"]);
    expect(find(".error-summary p").textContent).toBe("Please check these 2:");
    type("email", "asha@example.com");
    expect([items(), document.title]).toEqual([[name], "Error: HireSure"]);
    expect(document.querySelector(".error-summary p")).toBeNull();
    type("fullname", "Asha Pillai");
    expect(document.querySelector(".error-summary")).toBeNull();
    expect(document.title).toBe("HireSure");
  });

  test("shows a rejection without a field in a toast", async () => {
    const fresh = find("form").cloneNode(true) as HTMLElement;
    fresh.insertAdjacentHTML("afterbegin", '<div class="error-summary"><ul><li> Too many tries. </li></ul></div>');
    find("form").replaceWith(fresh);
    await vi.advanceTimersByTimeAsync(0);
    vi.advanceTimersByTime(60_000);
    expect(find("#toasts .toast").textContent).toBe("Failed! Too many tries.");
  });
});
