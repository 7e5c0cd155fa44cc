// Test fixture: the enquiry form, new for each test.
import { afterEach, beforeEach, vi } from "vitest";
import countries from "../../forms/countries.json";

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

export const find = <T extends HTMLElement = HTMLElement>(selector: string): T => {
  const found = document.querySelector<T>(selector);
  if (!found) throw new Error(`nothing is ${selector}`);
  return found;
};
export const messageAt = (name: string): string | undefined =>
  document.querySelector(`#e-enquiry-${name}`)?.textContent ?? undefined;
export const input = (name: string): HTMLInputElement => find<HTMLInputElement>(`#f-enquiry-${name}`);
export const type = (name: string, text: string): void => {
  input(name).value = text;
  input(name).dispatchEvent(new Event("input", { bubbles: true }));
};
export const leave = (name: string): void => {
  input(name).dispatchEvent(new FocusEvent("focusout", { bubbles: true }));
};
export const press = (key: string): boolean =>
  input("countryCode").dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));

beforeEach(() => {
  vi.useFakeTimers();
  document.body.innerHTML = markup;
});
afterEach(() => {
  vi.useRealTimers();
});
