import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";

const chromium = [
  process.env.CHROME_PATH,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((path) => path && existsSync(path));

export default defineConfig({
  testDir: "e2e",
  // Tests marked @long run in `./task test:long` alone.
  ...(process.env.LONG ? { grep: /@long/ } : { grepInvert: /@long/ }),
  fullyParallel: true,
  forbidOnly: true,
  workers: 2,
  timeout: 60_000,
  reporter: [["list"]],
  use: {
    locale: "en-IN",
    timezoneId: "Asia/Kolkata",
    trace: "retain-on-failure",
    launchOptions: {
      executablePath: chromium,
      args: [
        // A browser refuses its sandbox to root, as whom tests run on a fresh machine.
        ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
        "--disable-gpu",
        "--disable-quic",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
