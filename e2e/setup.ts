// Compiles the programs that tests run next to the site before any test starts, because it takes minutes with an empty cache.
import { execFileSync } from "node:child_process";

export default function setup(): void {
  execFileSync("go", ["build", "-o", "bin/", "./e2e/cmd/...", "./cmd/simulators"], { stdio: "inherit" });
}
