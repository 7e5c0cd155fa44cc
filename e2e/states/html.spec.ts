// Checks the server's HTML of every state in one run of the checker after all sweeps, because it is slow to start.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { htmlFolder } from "../sweep.ts";

// For a program that ends after seconds Java's optimizing compiler does not pay; the simple one's code needs a larger stack.
const java = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xss8m"];
const vnu = "node_modules/vnu-jar/build/dist/vnu.jar";

test("the HTML of every page and state is valid", async () => {
  test.setTimeout(240_000);
  const info = test.info();
  const swept = info.config.projects.filter((project) => existsSync(htmlFolder(project)));
  expect(swept.length, "sweeps that kept what the server wrote").toBeGreaterThan(0);
  const verdict = await new Promise<string>((resolve) => {
    const folders = swept.map(htmlFolder);
    execFile("java", [...java, "-jar", vnu, "--format", "json", ...folders], { maxBuffer: 1 << 26 }, (_, out, err) =>
      resolve(err || out),
    );
  });
  const { messages } = JSON.parse(verdict) as {
    messages: { url: string; type: string; message: string; extract?: string }[];
  };
  const faults = messages
    .filter(({ type, message }) => type !== "info" && !message.startsWith("CSS:")) // Biome checks CSS
    .map(({ url, message, extract }) => {
      const [project, state] = decodeURIComponent(url).split("/").slice(-2);
      return `${project}, ${state}: ${message} ${extract ?? ""}`;
    });
  const warnings = messages.filter(({ type }) => type === "info");
  await info.attach("warnings.json", { body: JSON.stringify(warnings, null, 1) });
  expect(faults).toEqual([]);
});
