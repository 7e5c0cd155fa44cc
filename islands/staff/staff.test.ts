import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { offerPasskey } from "./passkey";
import { showPassword } from "./password";

const find = <Kind extends Element>(selector: string) => document.querySelector(selector) as Kind;
const posted = vi.fn();
const create = vi.fn();
const get = vi.fn();

/** Draws a form with a passkey button; the server answers with a status and a body. */
function draw(status: number, body: unknown) {
  document.body.innerHTML = `<button form="f" data-passkey-button hidden>Instead</button>
    <form id="f" data-passkey="/ask"><input type="hidden" name="passkey" data-answer><div hidden><button>Use</button></div><p data-fault></p></form>`;
  const form = find<HTMLFormElement>("form");
  form.submit = posted;
  vi.stubGlobal(
    "fetch",
    vi.fn(async () => Response.json(body, { status })),
  );
  offerPasskey(form);
  return () => form.dispatchEvent(new Event("submit", { cancelable: true }));
}

beforeEach(() => {
  vi.resetAllMocks();
  vi.stubGlobal("PublicKeyCredential", Key);
  vi.stubGlobal("navigator", { credentials: { create, get } });
});
afterEach(() => vi.unstubAllGlobals());

/** What a browser makes of a passkey. */
class Key {
  static parseCreationOptionsFromJSON = (options: unknown) => ({ parsed: options });
  static parseRequestOptionsFromJSON = (options: unknown) => ({ parsed: options });
  toJSON = () => ({ id: "a" });
}
const signed = new Key();

test("a browser with passkeys shows the buttons", () => {
  draw(200, {});
  expect(document.querySelectorAll("[hidden]")).toHaveLength(0);
});

test("a browser without passkeys shows none", () => {
  vi.stubGlobal("PublicKeyCredential", undefined);
  draw(200, {});
  expect(document.querySelectorAll("[hidden]")).toHaveLength(2);
});

test.each([
  ["a new passkey", create, { rp: { id: "localhost" } }],
  ["a sign-in", get, { challenge: "c", rpId: "localhost" }],
])("%s is posted with the form", async (_, made, publicKey) => {
  made.mockResolvedValue(signed);
  draw(200, { publicKey })();
  await vi.waitFor(() => expect(posted).toHaveBeenCalledOnce());
  expect(made).toHaveBeenCalledExactlyOnceWith({ publicKey: { parsed: publicKey } });
  expect(fetch).toHaveBeenCalledExactlyOnceWith("/ask", expect.objectContaining({ method: "POST" }));
  expect(find<HTMLInputElement>("input").value).toBe('{"id":"a"}');
});

test.each([
  ["NotAllowedError", "No passkey was used. Try again, or choose another way."],
  ["InvalidStateError", "This device has a passkey for your account already."],
  ["SecurityError", "This did not work. Reload this page and try again."],
])("a passkey that fails with %s is explained, and can be tried again", async (name, words) => {
  get.mockRejectedValueOnce(new DOMException("", name)).mockResolvedValue(signed);
  const press = draw(200, { publicKey: { challenge: "c" } });
  press();
  await vi.waitFor(() => expect(find("p").textContent).toBe(words));
  press();
  await vi.waitFor(() => expect(posted).toHaveBeenCalledOnce());
  expect(find("p").textContent).toBe("");
});

test("a refusal of the server is shown", async () => {
  draw(422, { message: "Confirm first that it is you" })();
  await vi.waitFor(() => expect(find("p").textContent).toBe("Confirm first that it is you"));
  expect(get).not.toHaveBeenCalled();
});

test("a second press waits for the first", async () => {
  get.mockReturnValue(new Promise(() => undefined));
  const press = draw(200, { publicKey: { challenge: "c" } });
  press();
  press();
  await vi.waitFor(() => expect(get).toHaveBeenCalled());
  expect(fetch).toHaveBeenCalledOnce();
});

test("a password is shown, hidden, and sent hidden", () => {
  document.body.innerHTML = `<form><input type="password"><button type="button" data-show hidden>Show</button></form>`;
  const button = find<HTMLButtonElement>("button");
  const field = find<HTMLInputElement>("input");
  showPassword(button);
  expect(button.hidden).toBe(false);
  button.click();
  expect([field.type, button.textContent]).toEqual(["text", "Hide"]);
  button.click();
  expect([field.type, button.textContent]).toEqual(["password", "Show"]);
  button.click();
  find<HTMLFormElement>("form").dispatchEvent(new Event("submit"));
  expect(field.type).toBe("password");
});
