import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { delimiter, join } from "node:path";
import { defineConfig } from "@playwright/test";
import type { SweepOptions } from "./e2e/sweep.ts";
import type { Options } from "./e2e/test.ts";

const chromium = [
  process.env.CHROME_PATH,
  "/usr/bin/chromium-headless-shell", // opens no window for each visitor: half of the work
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((path) => path && existsSync(path));

const smallest = { width: 320, height: 640 };
const phone = { width: 360, height: 780 };
const desktop = { width: 1280, height: 900 };
// Without scripts pages are read with reduced motion: to draw what moves is a quarter of a journey's time.
const still = { javaScriptEnabled: false, contextOptions: { reducedMotion: "reduce" as const } };
const noPostgres = !existsSync("/usr/lib/postgresql"); // .ci/needs says what is skipped then
const hasJava = (process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, "java")));

// Journeys run with and without scripts, on both databases, on a phone and on a desktop: each pair meets in one of four.
// What only one of them can show stands in a folder of its own.
const scripted = { testMatch: /journeys\/(scripts\/)?[^/]+\.spec\.ts$/ };
const plain = { testMatch: /journeys\/(plain\/)?[^/]+\.spec\.ts$/ };

// Every state is opened twice, and judged wholly each time: in the smallest window with scripts, and without them for a
// reader of large text. What the server wrote in both is checked at the end, by Java.
const states = { teardown: hasJava ? "HTML" : undefined };

export default defineConfig<SweepOptions, Options>({
  testDir: "e2e",
  // Tests marked @long run in `./task test:long` alone; those marked @pictures where they are asked for.
  ...(process.env.LONG
    ? { grep: /@long/ }
    : { grepInvert: process.argv.some((argument) => argument.includes("@pictures")) ? /@long/ : /@long|@pictures/ }),
  fullyParallel: true,
  forbidOnly: true,
  workers: Math.max(2, availableParallelism()),
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [["list"]],
  projects: [
    { name: "pages", testMatch: /e2e\/[^/]+\.spec\.ts$/, use: { viewport: desktop } },
    { ...scripted, name: "desktop, SQLite", use: { viewport: desktop } },
    { ...plain, name: "phone without scripts, SQLite", use: { ...still, viewport: phone } },
    { ...scripted, name: "phone, PostgreSQL", use: { viewport: phone, database: "postgres" } },
    {
      ...plain,
      name: "desktop without scripts, PostgreSQL",
      use: { ...still, viewport: desktop, database: "postgres" },
    },
    { ...states, name: "states", testMatch: /states\/scripts\.spec\.ts$/, use: { viewport: smallest } },
    {
      ...states,
      name: "states without scripts",
      testMatch: /states\/plain\.spec\.ts$/,
      use: { viewport: desktop, text: 200, javaScriptEnabled: false, database: noPostgres ? "sqlite" : "postgres" },
    },
    { name: "HTML", testMatch: /states\/html\.spec\.ts$/ },
  ].filter(({ name }) => !(noPostgres && name.endsWith("PostgreSQL")) && (hasJava || name !== "HTML")) as never,
  use: {
    locale: "en-IN",
    timezoneId: "Asia/Kolkata",
    trace: process.env.TRACE ? "retain-on-failure" : "off", // recording each test makes all of them slow
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: chromium,
      args: [
        // A browser refuses its sandbox to root, as whom tests run on a fresh machine.
        ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
        "--disable-gpu",
        "--font-render-hinting=none", // letters as wide as on a phone, which does not fit them to whole pixels
        "--disable-quic",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
