import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

const path = "/scholarship/v1/apply-coupon";
const notReady = "Execute reCAPTCHA is not ready yet.";
const asked = vi.fn<(path: string, init?: RequestInit) => Promise<Response>>();
const challenge = () => Response.json({ provider: "pow", salt: "s", difficulty: 0, expires: 1, signature: "x" });
const good = () => Response.json({ success: true, message: "Fine.", data: 1 });
const wantsCheck = () => Response.json({ message: notReady, errors: { captcha_token: notReady } }, { status: 422 });
const trace = () =>
  asked.mock.calls.map(([to, init]) => (String(init?.body).includes("captcha_token") ? `${to} +` : to));

beforeEach(() => {
  vi.resetModules(); // each test is a new page
  asked.mockReset();
  vi.stubGlobal("fetch", asked);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe("post", () => {
  test("answers what the server says, by name", async () => {
    const { accepted, post } = await import("./api.ts");
    asked.mockResolvedValue(
      Response.json(
        { message: "Too many.", errors: { email: "Too many." } },
        { status: 429, headers: { "Retry-After": "43" } },
      ),
    );
    expect(await post(path, { a: 1 }, accepted)).toEqual({
      ok: false,
      status: 429,
      message: "Too many.",
      errors: { email: "Too many." },
      retryAfter: 43,
    });
    expect(asked.mock.calls[0]?.[1]?.body).toBe('{"a":1}');
  });

  test.each([
    [false, "You are offline. What you typed is kept."],
    [true, "We cannot be reached at the moment. What you typed is kept. Please try again."],
  ])("tells what an unreached server means (online: %s)", async (onLine, message) => {
    const { accepted, post } = await import("./api.ts");
    vi.spyOn(navigator, "onLine", "get").mockReturnValue(onLine);
    asked.mockRejectedValue(new TypeError("Failed to fetch"));
    expect(await post(path, {}, accepted)).toMatchObject({ ok: false, status: 0, message, errors: {} });
  });

  test("has a sentence for an answer that is no JSON", async () => {
    const { accepted, post } = await import("./api.ts");
    asked.mockResolvedValue(new Response("<html>", { status: 502 }));
    expect(await post(path, {}, accepted)).toMatchObject({ ok: false, status: 502, message: "Something went wrong." });
  });
});

describe("postGuarded", () => {
  test("passes the human check with the first call only", async () => {
    const { accepted, postGuarded } = await import("./api.ts");
    asked.mockImplementation(async (to) => (to === path ? good() : challenge()));
    await postGuarded(path, {}, accepted);
    await postGuarded(path, {}, accepted);
    expect(trace()).toEqual(["/human/challenge", `${path} +`, path]);
  });

  test("passes it again when the server asks", async () => {
    const { accepted, postGuarded } = await import("./api.ts");
    const answers = [good(), wantsCheck(), good()];
    asked.mockImplementation(async (to) => (to === path ? (answers.shift() ?? good()) : challenge()));
    await postGuarded(path, {}, accepted);
    expect((await postGuarded(path, {}, accepted)).ok).toBe(true);
    expect(trace()).toEqual(["/human/challenge", `${path} +`, path, "/human/challenge", `${path} +`]);
  });

  test("goes without where the check is off", async () => {
    const { accepted, postGuarded } = await import("./api.ts");
    asked.mockImplementation(async (to) => (to === path ? good() : new Response("", { status: 404 })));
    expect((await postGuarded(path, {}, accepted)).ok).toBe(true);
    expect(trace()).toEqual(["/human/challenge", path]);
  });

  test("hands on what the server says where the check is not ready", async () => {
    const { accepted, postGuarded } = await import("./api.ts");
    asked.mockImplementation(async (to) => (to === path ? wantsCheck() : new Response("", { status: 503 })));
    expect(await postGuarded(path, {}, accepted)).toMatchObject({ ok: false, message: notReady });
  });

  test("asks nothing more while the server is not reached", async () => {
    const { accepted, postGuarded } = await import("./api.ts");
    asked.mockRejectedValue(new TypeError("Failed to fetch"));
    expect(await postGuarded(path, {}, accepted)).toMatchObject({ ok: false, status: 0 });
    expect(trace()).toEqual(["/human/challenge"]);
  });
});

describe("getGuarded", () => {
  test("shows its pass in a header", async () => {
    const { accepted, getGuarded } = await import("./api.ts");
    const referral = "/v1/users/referralCode/SETU2025";
    asked.mockImplementation(async (to) => (to === referral ? good() : challenge()));
    expect(await getGuarded(referral, accepted)).toMatchObject({ ok: true, message: "Fine." });
    await getGuarded(referral, accepted);
    expect(trace()).toEqual(["/human/challenge", referral, referral]);
    const headers = asked.mock.calls.slice(1).map(([, init]) => init?.headers);
    expect(headers).toEqual([
      { "X-Captcha-Token": expect.stringMatching(/^[A-Za-z0-9_-]+$/), Accept: "application/json" },
      { Accept: "application/json" },
    ]);
  });
});
