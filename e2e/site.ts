// Runs the real binary as a process with its own database.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";

export type Database = "sqlite" | "postgres";

/** A running site. */
export interface Site {
  url: string; // its origin
  logs: () => string; // its latest output
  stop: () => Promise<void>;
  /** Kills the process as a power cut would and restarts it with the same data. */
  crash: () => Promise<void>;
}

/**
 * Starts bin/site with a data folder and a database of its own, and waits until it is ready.
 * @param variables environment variables on top of the tests' own, which lift the limits per address and switch PDFs off
 * @param command the program and its arguments
 */
export async function startSite(
  database: Database,
  variables: Record<string, string> = {},
  command: readonly [string, ...string[]] = ["bin/site"],
): Promise<Site> {
  const folder = await mkdtemp(join(tmpdir(), "hiresure-journeys-"));
  const postgres = database === "postgres" ? await lendPostgres() : undefined;
  let address = "127.0.0.1:0"; // a free port, which the site logs
  const { PATH = "", HOME = "" } = process.env;
  const env = {
    PATH,
    HOME,
    DATA_DIR: folder,
    RATE_LIMITS: "off",
    REFUND_LIMIT: "1000",
    CHROME_URL: "off", // tests that need PDFs override it
    ...(postgres && { DATABASE_URL: postgres.url }),
    ...variables,
  };
  const lines: string[] = [];
  const start = () => {
    const [program, ...programArguments] = command;
    const begun = spawn(program, programArguments, {
      env: { ADDR: address, ...env },
      stdio: ["ignore", "ignore", "pipe"],
    });
    createInterface({ input: begun.stderr }).on("line", (line) => {
      if (lines.push(line) > 200) lines.shift();
      if (line.includes('"msg":"serving"')) address = JSON.parse(line).addr;
    });
    return begun;
  };
  let site = start();
  const logs = () => lines.join("\n");
  const stop = async () => {
    await end(site, () => site.kill("SIGTERM"));
    await postgres?.end();
    await rm(folder, { recursive: true });
  };
  const ready = async () => {
    for (let tries = 0; !(await isReady(`http://${address}`)); tries++) {
      if (site.exitCode !== null || tries > 600) {
        await stop();
        throw new Error(`bin/site did not start:\n${logs()}`);
      }
      await wait(50);
    }
  };
  const crash = async () => {
    await end(site, () => site.kill("SIGKILL"));
    site = start();
    await ready();
  };
  await ready();
  return { url: `http://${address}`, logs, stop, crash };
}

async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function lendPostgres() {
  const lender = spawn("bin/postgres", { stdio: ["pipe", "pipe", "inherit"] });
  for await (const url of createInterface({ input: lender.stdout }))
    return { url, end: () => end(lender, () => lender.stdin.end()) };
  throw new Error("PostgreSQL did not start");
}

async function end(child: ChildProcess, ask: () => void) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  ask();
  await gone;
}
