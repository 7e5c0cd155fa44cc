import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { states, statesFor } from "./states.ts";
import { expect, test } from "./test.ts";

const vnu = "node_modules/vnu-jar/build/dist/vnu.jar";

// Without scripts each state is what the server wrote; one run of the checker judges all of them.
test.use({ javaScriptEnabled: false });

test("the HTML of every page and state is valid", async ({ another }, info) => {
  test.setTimeout(240_000);
  const folder = info.outputPath("pages");
  await mkdir(folder, { recursive: true });
  const plain = statesFor(false);
  expect(plain.length).toBeGreaterThan(states.length / 2);
  for (const [n, state] of plain.entries()) {
    const visitor = await another();
    let html = Promise.resolve("");
    visitor.page.on("response", (response) => {
      if (response.request().isNavigationRequest() && response.status() !== 303 && response.status() !== 302)
        html = response.text();
    });
    await state.open(visitor);
    await writeFile(join(folder, `${n} ${state.name}.html`), await html);
    await visitor.page.close();
  }
  const verdict = await new Promise<string>((resolve) => {
    execFile("java", ["-jar", vnu, "--format", "json", folder], { maxBuffer: 1 << 26 }, (_, out, err) =>
      resolve(err || out),
    );
  });
  const { messages } = JSON.parse(verdict) as {
    messages: { url: string; type: string; message: string; extract?: string }[];
  };
  const faults = messages
    .filter(({ type }) => type !== "info")
    .map(
      ({ url, message, extract }) => `${decodeURIComponent(url.split("/").pop() ?? "")}: ${message} ${extract ?? ""}`,
    );
  const warnings = messages.filter(({ type }) => type === "info");
  await info.attach("warnings.json", { body: JSON.stringify(warnings, null, 1) });
  expect(faults).toEqual([]);
});
