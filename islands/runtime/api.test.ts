import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import * as z from "zod/mini";

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
  test("returns the server's message and errors by field", async () => {
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
    [false, "Not sent: you are offline. Please try again once you are online."],
    [true, "We cannot be reached at the moment. What you typed is kept. Please try again."],
  ])("tells what an unreached server means (online: %s)", async (onLine, message) => {
    const { accepted, post } = await import("./api.ts");
    vi.spyOn(navigator, "onLine", "get").mockReturnValue(onLine);
    asked.mockRejectedValue(new TypeError("Failed to fetch"));
    expect(await post(path, {}, accepted)).toMatchObject({ ok: false, status: 0, message, errors: {} });
  });

  test("returns a sentence for a response that is not JSON", async () => {
    const { accepted, post } = await import("./api.ts");
    asked.mockResolvedValue(new Response("<html>", { status: 502 }));
    expect(await post(path, {}, accepted)).toMatchObject({ ok: false, status: 502, message: "Something went wrong." });
  });
});

describe("an answer that cannot be read", () => {
  const unreadable = "We could not read the answer. What you typed is kept. Please try again.";

  test.each([
    ["is no JSON: a hotel network's page", "<h1>Log in</h1>"],
    ["is cut off", '{"message":"Fi'],
    ["is empty", ""],
    ["lacks what every answer has", "{}"],
    ["lacks what this call's answer has", '{"message":"Fine."}'],
    ["holds it in another kind", '{"message":"Fine.","data":"1"}'],
  ])("counts as none where it %s", async (_, text) => {
    const { post } = await import("./api.ts");
    asked.mockResolvedValue(new Response(text));
    const schema = z.object({ message: z.string(), data: z.number() });
    expect(await post(path, {}, schema)).toEqual({
      ok: false,
      status: 0,
      message: unreadable,
      errors: {},
      retryAfter: 0,
    });
  });

  test("that breaks off counts as an unreachable server", async () => {
    const { accepted, post } = await import("./api.ts");
    const body = new ReadableStream({ start: (stream) => stream.error(new TypeError("network error")) });
    asked.mockResolvedValue(new Response(body));
    const message = "We cannot be reached at the moment. What you typed is kept. Please try again.";
    expect(await post(path, {}, accepted)).toMatchObject({ ok: false, status: 0, message });
  });

  test.each([
    ["faults that are none", '{"message":"No.","errors":["No."]}', "Something went wrong."],
    ["no sentence", '{"errors":{"email":"No."}}', "Something went wrong."],
    ["nothing but a sentence", '{"message":"No."}', "No."],
  ])("of a refusal with %s has a sentence", async (_, text, message) => {
    const { accepted, post } = await import("./api.ts");
    asked.mockResolvedValue(new Response(text, { status: 409 }));
    expect(await post(path, {}, accepted)).toMatchObject({ ok: false, status: 409, message, errors: {} });
  });

  test.each([
    ["43", 43],
    ["Wed, 21 Oct 2026 07:28:00 GMT", 0],
  ])("names a wait in seconds or none: %s", async (header, seconds) => {
    const { accepted, post } = await import("./api.ts");
    asked.mockResolvedValue(Response.json({}, { status: 429, headers: { "Retry-After": header } }));
    expect(await post(path, {}, accepted)).toMatchObject({ retryAfter: seconds });
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

  test("does the work that the server asks for, and no more than three times", async () => {
    const { accepted, postGuarded } = await import("./api.ts");
    const work = { provider: "pow", salt: "w", difficulty: 0, expires: 1, signature: "y" };
    const busy = () =>
      Response.json(
        { message: "Busy.", errors: { phone: "Busy." }, challenge: work },
        { status: 429, headers: { "Retry-After": "600" } },
      );
    let answers = [busy(), good()];
    asked.mockImplementation(async (to) => (to === path ? (answers.shift() ?? busy()) : challenge()));
    expect((await postGuarded(path, {}, accepted)).ok).toBe(true);
    expect(trace()).toEqual(["/human/challenge", `${path} +`, `${path} +`]);
    asked.mockClear();
    answers = [];
    expect(await postGuarded(path, {}, accepted)).toMatchObject({ ok: false, message: "Busy.", retryAfter: 600 });
    expect(trace()).toEqual([path, `${path} +`, `${path} +`, `${path} +`]);
  });

  test("leaves the work to a caller who starts it", async () => {
    const { accepted, postGuarded } = await import("./api.ts");
    const work = { provider: "pow", salt: "w", difficulty: 0, expires: 1, signature: "y" } as const;
    const answers = [Response.json({ message: "Busy.", challenge: work }, { status: 429 }), good()];
    asked.mockImplementation(async (to) => (to === path ? (answers.shift() ?? good()) : challenge()));
    expect(await postGuarded(path, {}, accepted, null)).toMatchObject({ ok: false, challenge: { salt: "w" } });
    expect(trace()).toEqual(["/human/challenge", `${path} +`]);
    expect((await postGuarded(path, {}, accepted, work)).ok).toBe(true);
    expect(trace()).toEqual(["/human/challenge", `${path} +`, `${path} +`]);
  });

  test("reports a refusal whose work cannot be read", async () => {
    const { accepted, postGuarded } = await import("./api.ts");
    const riddle = () => Response.json({ message: "Busy.", challenge: { provider: "riddle" } }, { status: 429 });
    asked.mockImplementation(async (to) => (to === path ? riddle() : challenge()));
    expect(await postGuarded(path, {}, accepted)).toMatchObject({ ok: false, message: "Busy." });
    expect(trace()).toEqual(["/human/challenge", `${path} +`]);
  });

  test("sends no token if the check is off", async () => {
    const { accepted, postGuarded } = await import("./api.ts");
    asked.mockImplementation(async (to) => (to === path ? good() : Response.json({ provider: "none" })));
    expect((await postGuarded(path, {}, accepted)).ok).toBe(true);
    expect(trace()).toEqual(["/human/challenge", path]);
  });

  test("returns the server's message if the check is not ready", async () => {
    const { accepted, postGuarded } = await import("./api.ts");
    asked.mockImplementation(async (to) => (to === path ? wantsCheck() : new Response("", { status: 503 })));
    expect(await postGuarded(path, {}, accepted)).toMatchObject({ ok: false, message: notReady });
  });

  test.each([
    ["did not reach the server", () => Promise.reject(new TypeError("Failed to fetch"))],
    ["had an answer that cannot be read", async () => new Response("<h1>Log in</h1>")],
  ])("does not count as passed with a call that %s", async (_, lost) => {
    const { accepted, postGuarded } = await import("./api.ts");
    const answers = [lost, async () => good()];
    asked.mockImplementation(async (to) => (to === path ? (answers.shift() ?? lost)() : challenge()));
    expect(await postGuarded(path, {}, accepted)).toMatchObject({ ok: false, status: 0 });
    expect((await postGuarded(path, {}, accepted)).ok).toBe(true);
    expect(trace()).toEqual(["/human/challenge", `${path} +`, "/human/challenge", `${path} +`]);
  });

  test("sends nothing more while the server is unreachable", async () => {
    const { accepted, postGuarded } = await import("./api.ts");
    asked.mockRejectedValue(new TypeError("Failed to fetch"));
    expect(await postGuarded(path, {}, accepted)).toMatchObject({ ok: false, status: 0 });
    expect(trace()).toEqual(["/human/challenge"]);
  });
});

describe("getGuarded", () => {
  test("sends its token in a header", async () => {
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

describe("beacon", () => {
  const sent = vi.fn<(path: string, body: string) => boolean>();
  const passes = () => sent.mock.calls.map(([, body]) => "captcha_token" in JSON.parse(body));
  beforeEach(() => {
    sent.mockReset();
    Object.assign(navigator, { sendBeacon: sent });
  });

  test("sends a token obtained before, once", async () => {
    const { beacon, prepareBeacon } = await import("./api.ts");
    asked.mockImplementation(async () => challenge());
    await Promise.all([prepareBeacon(), prepareBeacon()]);
    await prepareBeacon();
    beacon(path, { a: 1 });
    beacon(path, { a: 1 });
    expect(trace()).toEqual(["/human/challenge"]);
    expect(passes()).toEqual([true, false]);
    expect(JSON.parse(sent.mock.calls[0]?.[1] ?? "")).toEqual({ a: 1, captcha_token: expect.any(String) });
    expect(sent.mock.calls[1]).toEqual([path, '{"a":1}']);
  });

  test("needs no token if the page has passed the check", async () => {
    const { accepted, beacon, postGuarded, prepareBeacon } = await import("./api.ts");
    asked.mockImplementation(async (to) => (to === path ? good() : challenge()));
    await prepareBeacon();
    await postGuarded(path, {}, accepted);
    await prepareBeacon();
    beacon(path, {});
    expect(trace()).toEqual(["/human/challenge", "/human/challenge", `${path} +`]);
    expect(passes()).toEqual([false]);
  });

  test.each([
    ["again where the server was not reached", () => Promise.reject(new TypeError("Failed to fetch")), 2, true],
    ["once where the check is off", async () => Response.json({ provider: "none" }), 1, false],
  ])("is prepared %s", async (_, first, asks, carries) => {
    const { beacon, prepareBeacon } = await import("./api.ts");
    asked.mockImplementationOnce(first).mockImplementation(async () => challenge());
    await prepareBeacon();
    await prepareBeacon();
    beacon(path, {});
    expect(asked).toHaveBeenCalledTimes(asks);
    expect(passes()).toEqual([carries]);
  });
});
