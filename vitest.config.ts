import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    environment: "jsdom",
    maxWorkers: "100%", // of the cores; else one stands idle
    setupFiles: "islands/setup.ts",
    include: ["islands/**/*.test.{ts,tsx}"],
    passWithNoTests: true,
  },
});
