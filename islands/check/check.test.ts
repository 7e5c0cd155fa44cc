import { afterEach, expect, test, vi } from "vitest";
import vectors from "../../integrations/captcha/testdata/pow.json";

const page = (challenge: object) => {
  document.body.innerHTML = `<p data-wait>Please wait.</p><p data-work hidden>Working.</p>
    <form><input type="hidden" name="captcha_token" value="ticket"><button>Try again</button></form>`;
  const form = document.querySelector("form") as HTMLFormElement;
  form.dataset.challenge = JSON.stringify(challenge);
  const sent = vi.fn<(token: string) => void>();
  form.requestSubmit = () => sent((form.elements.namedItem("captcha_token") as HTMLInputElement).value);
  return { form, sent };
};

afterEach(() => vi.resetModules());

test("does the work and sends the form with it", async () => {
  const [vector] = vectors;
  const { sent } = page({ provider: "pow", ...vector?.challenge });
  await import("./main.ts");
  await vi.waitFor(() => expect(sent).toHaveBeenCalledExactlyOnceWith(vector?.token));
  expect(document.querySelector<HTMLElement>("[data-wait]")?.hidden).toBe(true);
  expect(document.querySelector<HTMLElement>("[data-work]")?.hidden).toBe(false);
});

test("leaves the button to the visitor if the work cannot be read", async () => {
  const { sent } = page({ provider: "riddle" });
  await import("./main.ts");
  expect(sent).not.toHaveBeenCalled();
  expect(document.querySelector<HTMLElement>("[data-wait]")?.hidden).toBe(false);
});
