// Compiles the programs that tests run beside the site, before any of them begins: with an empty cache that takes minutes.
import { execFileSync } from "node:child_process";

export default function setup(): void {
  execFileSync("go", ["build", "-o", "bin/", "./e2e/cmd/...", "./cmd/simulators"], { stdio: "inherit" });
}
