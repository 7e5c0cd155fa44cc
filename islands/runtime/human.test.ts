import { createHash } from "node:crypto";
import { afterEach, describe, expect, it, vi } from "vitest";
import vectors from "../../integrations/captcha/testdata/pow.json";
import { type Challenge, humanToken, solve } from "./human.ts";

afterEach(() => vi.unstubAllGlobals());

describe("the proof of work", () => {
  it.each(vectors)("finds the same token as Go, $challenge.difficulty bits", async ({ challenge, token }) => {
    expect(await solve(challenge)).toBe(token);
  });

  it.each([1, 22, 43, 44])("hashes as SHA-256 does, salt of %i characters", async (length) => {
    const challenge: Challenge = { salt: "s".repeat(length), difficulty: 9, expires: 1, signature: "x" };
    const { number } = JSON.parse(Buffer.from(await solve(challenge), "base64url").toString());
    const zeros = (n: number) =>
      Math.clz32(createHash("sha256").update(`${challenge.salt}${n}`).digest().readUInt32BE());
    expect(zeros(number)).toBeGreaterThanOrEqual(9);
    for (let smaller = 0; smaller < number; smaller++) expect(zeros(smaller)).toBeLessThan(9);
  });

  it("asks the server for its challenge, once for each token", async () => {
    const asked = vi.fn(async () => Response.json({ success: true, provider: "pow", ...vectors[0]?.challenge }));
    vi.stubGlobal("fetch", asked);
    expect(await humanToken()).toBe(vectors[0]?.token);
    expect(await humanToken()).toBe(vectors[0]?.token);
    expect(asked).toHaveBeenCalledTimes(2);
    expect(asked).toHaveBeenCalledWith("/human/challenge", { headers: { Accept: "application/json" } });
  });

  it("does no work if there is no check", async () => {
    vi.stubGlobal("fetch", async () => Response.json({ success: true, provider: "none" }));
    expect(await humanToken()).toBe("");
  });

  it("rejects while the server does not answer", async () => {
    vi.stubGlobal("fetch", async () => new Response("", { status: 503 }));
    await expect(humanToken()).rejects.toThrow("human check: 503");
  });

  const work = { provider: "pow", ...vectors[0]?.challenge };
  it.each([
    ["is a page", "<h1>Log in</h1>"],
    ["names a check that we do not know", JSON.stringify({ ...work, provider: "riddle" })],
    ["lacks its signature", JSON.stringify({ ...work, signature: undefined })],
    ["asks for more zeros than are looked at, which would take for ever", JSON.stringify({ ...work, difficulty: 33 })],
    ["has a salt that does not fit into a block", JSON.stringify({ ...work, salt: "s".repeat(45) })],
    ["has a salt that is not ASCII", JSON.stringify({ ...work, salt: "sält" })],
    ["is of a service without a key", JSON.stringify({ provider: "turnstile" })],
  ])("rejects an answer that %s", async (_, text) => {
    vi.stubGlobal("fetch", async () => new Response(text));
    await expect(humanToken()).rejects.toThrow("human check: unreadable response");
  });
});
