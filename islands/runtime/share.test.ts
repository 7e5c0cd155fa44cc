import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { arrive } from "./result";
import { copyOnClick, share } from "./share";

const toastTexts = () => [...document.querySelectorAll(".toast")].map((toast) => toast.textContent?.trim());
const button = () => document.querySelector("button") as HTMLButtonElement;
const writeText = vi.fn(async (_: string) => {});

beforeEach(() => {
  writeText.mockReset();
  vi.stubGlobal("navigator", { clipboard: { writeText } });
  document.body.innerHTML = `<button data-share="https://x/scholarship/a?referralCode=C" data-title="Event" data-text="Enrol." data-copy="C"></button><div id="toasts"></div>`;
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("a button that shares", () => {
  test("opens the share sheet, and copies nothing", async () => {
    const sheet = vi.fn(async () => {});
    vi.stubGlobal("navigator", { share: sheet, clipboard: { writeText } });
    share(button());
    button().click();
    await vi.waitFor(() =>
      expect(sheet).toHaveBeenCalledExactlyOnceWith({
        title: "Event",
        text: "Enrol.",
        url: "https://x/scholarship/a?referralCode=C",
      }),
    );
    expect(writeText).not.toHaveBeenCalled();
    expect(toastTexts()).toEqual([]);
  });

  test.each([
    ["says nothing when the sheet is closed", new DOMException("", "AbortError"), []],
    ["copies where the sheet fails", new DOMException("", "NotAllowedError"), ["Success! Link copied."]],
  ])("%s", async (_, error, toasts) => {
    vi.stubGlobal("navigator", { share: async () => Promise.reject(error), clipboard: { writeText } });
    vi.useFakeTimers();
    share(button());
    button().click();
    await vi.advanceTimersByTimeAsync(0);
    expect(toastTexts()).toEqual(toasts);
    expect(writeText).toHaveBeenCalledTimes(toasts.length);
  });

  test("copies the address if there is no share sheet", async () => {
    share(button());
    button().click();
    await vi.waitFor(() => expect(toastTexts()).toEqual(["Success! Link copied."]));
    expect(writeText).toHaveBeenCalledExactlyOnceWith("https://x/scholarship/a?referralCode=C");
  });
});

describe("a button that shares a picture", () => {
  const sheet = vi.fn(async (_: ShareData) => {});
  const fetched = vi.fn(async () => new Response("png"));
  const link = { title: "Event", text: "Enrol.", url: "https://x/scholarship/a?referralCode=C" };
  const files = (data: ShareData) => data.files?.map((file) => [file.name, file.type, file.size]);

  beforeEach(() => {
    sheet.mockReset();
    fetched.mockReset().mockImplementation(async () => new Response("png"));
    vi.stubGlobal("fetch", fetched);
    vi.stubGlobal("navigator", { share: sheet, canShare: () => true, clipboard: { writeText } });
    button().dataset.picture = "/r/C.png";
  });

  test("shares the link and the picture, which is fetched once when a pointer nears the button", async () => {
    share(button());
    expect(fetched).not.toHaveBeenCalled();
    button().dispatchEvent(new Event("pointerdown"));
    button().dispatchEvent(new Event("focus"));
    expect(fetched).toHaveBeenCalledExactlyOnceWith("/r/C.png");
    button().click();
    await vi.waitFor(() => expect(sheet).toHaveBeenCalledOnce());
    expect(sheet.mock.calls[0]?.[0]).toMatchObject(link);
    expect(files(sheet.mock.calls[0]?.[0] ?? {})).toEqual([["ticket.png", "image/png", 3]]);
    expect(fetched).toHaveBeenCalledOnce();
    expect(writeText).not.toHaveBeenCalled();
  });

  test.each<[string, () => void, number]>([
    ["a browser that shares no files", () => vi.stubGlobal("navigator", { share: sheet, canShare: () => false }), 0],
    ["a browser that cannot say what it shares", () => vi.stubGlobal("navigator", { share: sheet }), 0],
    [
      "a browser that shares either files or a link",
      () => vi.stubGlobal("navigator", { share: sheet, canShare: (data: ShareData) => !data.url }),
      1,
    ],
    ["a picture that there is no more", () => fetched.mockResolvedValue(new Response(null, { status: 404 })), 1],
    ["a picture that does not come", () => fetched.mockRejectedValue(new TypeError("offline")), 1],
    ["a picture that comes too late", () => fetched.mockReturnValue(new Promise(() => {})), 1],
  ])("gives the sheet the link alone: %s", async (_, given, times) => {
    vi.useFakeTimers();
    given();
    share(button());
    button().click();
    await vi.advanceTimersByTimeAsync(1000);
    expect(sheet).toHaveBeenCalledExactlyOnceWith(link);
    expect(fetched).toHaveBeenCalledTimes(times);
  });
});

test("a copy button confirms, or shows the text if copying failed", async () => {
  copyOnClick(button());
  button().click();
  await vi.waitFor(() => expect(toastTexts()).toEqual(["Success! Code copied."]));
  expect(writeText).toHaveBeenCalledExactlyOnceWith("C");
  writeText.mockRejectedValueOnce(new Error("denied"));
  button().click();
  await vi.waitFor(() =>
    expect(document.querySelector("[role=alert]")?.textContent).toContain("The code could not be copied."),
  );
  expect(document.querySelector<HTMLTextAreaElement>("[role=alert] textarea")?.value).toBe("C");
  expect(toastTexts()).toEqual(["Success! Code copied."]); // shown once
});

test("a copy button names what it copied", async () => {
  button().dataset.what = "Payment ID";
  copyOnClick(button());
  button().click();
  await vi.waitFor(() => expect(toastTexts()).toEqual(["Success! Payment ID copied."]));
  expect(writeText).toHaveBeenCalledExactlyOnceWith("C");
});

test("a ticket is animated once, not after a reload or Back", () => {
  history.replaceState({ other: 1 }, "");
  arrive(button());
  expect(button().classList.contains("is-arriving")).toBe(true);
  expect(history.state).toEqual({ other: 1, arrived: true });
  button().classList.remove("is-arriving");
  arrive(button());
  expect(button().classList.contains("is-arriving")).toBe(false);
});
