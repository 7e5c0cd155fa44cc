import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { delimiter, join } from "node:path";
import { defineConfig } from "@playwright/test";
import type { SweepOptions } from "./e2e/sweep.ts";
import type { Options } from "./e2e/test.ts";

const chromium = [
  process.env.CHROME_PATH,
  "/usr/bin/chromium-headless-shell", // twice as fast, as it opens no windows
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((path) => path && existsSync(path));

const smallest = { width: 320, height: 640 };
const phone = { width: 360, height: 780 };
const desktop = { width: 1280, height: 900 };
// Journeys run with reduced motion, because they do not check motion and drawing it takes time.
const still = { contextOptions: { reducedMotion: "reduce" as const } };
const noPostgres = !existsSync("/usr/lib/postgresql"); // .ci/needs reports skipped tests
const hasJava = (process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, "java")));

// Journeys run with and without scripts, on both databases, on a phone and on a desktop. Four projects cover each pair of these;
// two run every day, the others in `./task test:long`. Journeys that need scripts, or need none, are in folders of their own.
const scripted = { testMatch: /journeys\/(scripts\/)?[^/]+\.spec\.ts$/ };
const plain = { testMatch: /journeys\/(plain\/)?[^/]+\.spec\.ts$/ };

// States are opened twice: with scripts in the smallest window, and without scripts at 200 % text size. The everyday run opens those of
// e2e/daily.ts, `./task test:long` all. A Java program checks the HTML of both at the end.
const states = { teardown: hasJava ? "HTML" : undefined };

// Tests marked @long run only in `./task test:long`. Those also marked @alone measure time, so nothing else runs with them. Tests marked
// @pictures run only if --grep names them.
const long = Boolean(process.env.LONG);
const pictures = process.argv.some((argument) => argument.includes("@pictures"));
const marked = long ? { grep: /@long/ } : { grepInvert: pictures ? /@long/ : /@long|@pictures/ };
// Tests marked @once prove the same with and without scripts: every day they run with scripts alone, if PostgreSQL is there.
const unlessOnce = long ? { grep: /@long|@once/ } : noPostgres ? {} : { grepInvert: /@long|@once|@pictures/ };
// Projects that run all tests in `./task test:long`. Otherwise onlyLong runs none, and alsoLong the everyday ones.
const whole = { grep: /.*/, grepInvert: /@pictures/ };
const onlyLong = long ? whole : { grep: /^$/ };
const alsoLong = long ? whole : {};

export default defineConfig<SweepOptions, Options>({
  testDir: "e2e",
  globalSetup: "./e2e/setup.ts",
  ...marked,
  fullyParallel: true,
  forbidOnly: true,
  workers: Math.ceil(1.5 * availableParallelism()), // visitors often wait
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [["list"]],
  projects: [
    { name: "pages", testMatch: /e2e\/[^/]+\.spec\.ts$/, use: { viewport: desktop } },
    { ...scripted, name: "phone, PostgreSQL", use: { ...still, viewport: phone, database: "postgres" } },
    {
      ...plain,
      ...unlessOnce,
      name: "phone without scripts, SQLite",
      use: { ...still, javaScriptEnabled: false, viewport: phone },
    },
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
    reuseContext: true, // reuses the last visitor's emptied context, because a new one starts a process
    locale: "en-IN",
    timezoneId: "Asia/Kolkata",
    trace: process.env.TRACE ? "retain-on-failure" : "off", // recording slows all tests
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: chromium,
      args: [
        // Chromium has no sandbox for root, the user of a fresh machine.
        ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
        "--disable-gpu",
        "--font-render-hinting=none", // letters as wide as on a phone, which does not round them to whole pixels
        "--disable-quic",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
