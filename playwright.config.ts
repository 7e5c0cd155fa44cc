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
// Journeys are made with reduced motion: to draw what moves is a part of their time, and nothing that they look for.
const still = { contextOptions: { reducedMotion: "reduce" as const } };
const noPostgres = !existsSync("/usr/lib/postgresql"); // .ci/needs says what is skipped then
const hasJava = (process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, "java")));

// Journeys run with and without scripts, on both databases, on a phone and on a desktop: each pair meets in one of four,
// of which two run every day, and the others in `./task test:long`. What only one of them can show stands in a folder of
// its own.
const scripted = { testMatch: /journeys\/(scripts\/)?[^/]+\.spec\.ts$/ };
const plain = { testMatch: /journeys\/(plain\/)?[^/]+\.spec\.ts$/ };

// Every state is opened twice: in the smallest window with scripts, and without them for a reader of large text. What the
// server wrote in both is checked at the end, by Java.
const states = { teardown: hasJava ? "HTML" : undefined };

// Tests marked @long run in `./task test:long` alone, and of them those marked @alone while nothing else runs, for they
// measure time; those marked @pictures where they are asked for.
const long = Boolean(process.env.LONG);
const pictures = process.argv.some((argument) => argument.includes("@pictures"));
const marked = long ? { grep: /@long/ } : { grepInvert: pictures ? /@long/ : /@long|@pictures/ };
// What runs whole in `./task test:long`, and not at all, or as every day, without it.
const whole = { grep: /.*/, grepInvert: /@pictures/ };
const onlyLong = long ? whole : { grep: /^$/ };
const alsoLong = long ? whole : {};

export default defineConfig<SweepOptions, Options>({
  testDir: "e2e",
  globalSetup: "./e2e/setup.ts",
  ...marked,
  fullyParallel: true,
  forbidOnly: true,
  workers: Math.ceil(1.5 * availableParallelism()), // a visitor often waits
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [["list"]],
  projects: [
    { name: "pages", testMatch: /e2e\/[^/]+\.spec\.ts$/, use: { viewport: desktop } },
    { ...scripted, name: "phone, PostgreSQL", use: { ...still, viewport: phone, database: "postgres" } },
    { ...plain, name: "phone without scripts, SQLite", use: { ...still, javaScriptEnabled: false, viewport: phone } },
    { ...scripted, ...onlyLong, name: "desktop, SQLite", use: { ...still, viewport: desktop } },
    {
      ...plain,
      ...onlyLong,
      name: "desktop without scripts, PostgreSQL",
      use: { ...still, javaScriptEnabled: false, viewport: desktop, database: "postgres" },
    },
    {
      ...states,
      ...alsoLong,
      name: "states",
      testMatch: /states\/scripts(-providers)?\.spec\.ts$/,
      use: { viewport: smallest },
    },
    {
      ...states,
      ...alsoLong,
      name: "states without scripts",
      testMatch: /states\/plain(-providers)?\.spec\.ts$/,
      use: { viewport: desktop, text: 200, javaScriptEnabled: false, database: noPostgres ? "sqlite" : "postgres" },
    },
    { ...alsoLong, name: "HTML", testMatch: /states\/html\.spec\.ts$/ },
  ].filter(({ name }) => !(noPostgres && name.endsWith("PostgreSQL")) && (hasJava || name !== "HTML")) as never,
  use: {
    reuseContext: true, // of the worker's last visitor, emptied: a new one starts a process
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
