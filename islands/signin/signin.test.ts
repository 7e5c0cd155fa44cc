import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { drawDigits } from "./code";
import { comesBack } from "./here";
import { passHuman } from "./human";
import { countdown } from "./resend";

const find = <Kind extends Element>(selector: string) => document.querySelector(selector) as Kind;

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  sessionStorage.clear();
});

function code(value = "") {
  document.body.innerHTML = `<form><div class="code"><svg></svg><input class="input-otp" value="${value}"></div><button>Verify</button></form>`;
  const sent = vi.fn();
  find<HTMLFormElement>("form").requestSubmit = sent;
  const input = find<HTMLInputElement>("input");
  drawDigits(input);
  const type = (text: string): void => {
    input.value = text;
    input.dispatchEvent(new Event("input"));
  };
  return { sent, type };
}

test.each([
  ["", 6, 2],
  ["4071", 2, 2], // the ring and the last dot
  ["40 71 22", 0, 1],
])("behind %j stand %i circles and %i lines", (typed, circles, lines) => {
  const { type } = code("9");
  type(typed);
  expect(document.querySelectorAll("circle")).toHaveLength(circles);
  expect(document.querySelectorAll("svg > path")).toHaveLength(lines);
});

test("the sixth digit sends the form, once for each code", () => {
  const { sent, type } = code();
  type("40712");
  expect(sent).not.toHaveBeenCalled();
  type("407122");
  type("407 122");
  expect(sent).toHaveBeenCalledExactlyOnceWith(find("button")); // the button's value is the action
  type("40712");
  type("407123");
  expect(sent).toHaveBeenCalledTimes(2);
});

test("a rejected code is not sent again automatically", () => {
  const { sent, type } = code("407122");
  type("407122 ");
  expect(sent).not.toHaveBeenCalled();
  type("407123");
  expect(sent).toHaveBeenCalledOnce();
});

test("no digit sends a form whose code has ended", () => {
  const { sent, type } = code();
  document.querySelector("button")?.replaceWith(document.createElement("button"));
  document.forms[0]?.insertAdjacentHTML("beforeend", '<button value="verify" disabled>Verify</button>');
  type("407122");
  expect(sent).not.toHaveBeenCalled();
});

test("Resend is disabled during the wait, shows it, and then works", () => {
  document.body.innerHTML = `<div data-resend="61"><button>Resend</button><span>one minute after the last OTP</span></div>`;
  countdown(find("div"));
  const [button, words] = [find<HTMLButtonElement>("button"), find<HTMLElement>("span")];
  expect([button.disabled, words.textContent]).toEqual([true, "in 1:01"]);
  vi.advanceTimersByTime(2000);
  expect([button.disabled, words.textContent]).toEqual([true, "in 0:59"]);
  vi.advanceTimersByTime(59000);
  expect([button.disabled, words.hidden]).toEqual([false, true]);
  expect(vi.getTimerCount()).toBe(0);
});

test("Resend without a wait works at once", () => {
  document.body.innerHTML = `<div data-resend="0"><button>Resend</button><span></span></div>`;
  countdown(find("div"));
  expect([find<HTMLButtonElement>("button").disabled, find<HTMLElement>("span").hidden]).toEqual([false, true]);
  expect(vi.getTimerCount()).toBe(0);
});

test("a page that answers a post gets the address that shows it again", () => {
  const before = history.length;
  document.body.innerHTML = `<form data-here="/account/sign-in/code?next=%2Faccount"></form>`;
  comesBack(find("form"));
  expect(location.pathname + location.search).toBe("/account/sign-in/code?next=%2Faccount");
  expect(history.length).toBe(before);
});

test.each([
  ["this page", "application:1:personal", "/hiresure/form/personal"],
  ["another step", "application:1:academic", "/"],
  ["another registration", "application:2:personal", "/"],
  ["a name that begins alike", "application:1:personal:x", "/"],
  ["nothing", "", "/"],
])("answers that only the post has stay with it: the tab holds those of %s", (_, held, path) => {
  history.replaceState(null, "", "/");
  if (held) sessionStorage.setItem(held, "{}");
  document.body.innerHTML = `<form data-here="/hiresure/form/personal" data-kept-by="application:1:personal"></form>`;
  comesBack(find("form"));
  expect(location.pathname).toBe(path);
});

async function press(token: () => Promise<string>) {
  document.body.innerHTML = `<form><input name="captcha_token"><button>Send code</button></form>`;
  const form = find<HTMLFormElement>("form");
  const sent = vi.fn();
  form.requestSubmit = sent;
  passHuman(form, token);
  const submit = () => {
    const event = new Event("submit", { cancelable: true });
    form.dispatchEvent(event);
    return event.defaultPrevented;
  };
  const held = [submit(), submit()];
  await vi.runAllTimersAsync();
  return { held, sent, submit, token: find<HTMLInputElement>("input").value };
}

test.each([
  ["with the token of the human check", async () => "good", "good"],
  ["without one where the check fails: the server asks then", () => Promise.reject(new Error("503")), ""],
])("a form is held back until it can be sent %s", async (_, token, want) => {
  const answer = await press(token);
  expect(answer.held).toEqual([true, true]);
  expect(answer.sent).toHaveBeenCalledOnce();
  expect(answer.token).toBe(want);
  expect(answer.submit()).toBe(false);
});
