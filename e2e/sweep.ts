// Opens every state once per project (with or without scripts, database, width, size of text) and runs every judge on it. All states of a
// worker share one page, because opening a new one takes longer than its checks.
import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, FullProject, Page, Response } from "@playwright/test";
import { emptyMarked, Judged, markJudged, shapes } from "./blocks.ts";
import { isDaily } from "./daily.ts";
import {
  type Judge,
  type Look,
  ofBlocks,
  ofBlocksBriefly,
  ofPages,
  ofPagesBriefly,
  ofTexts,
  setText,
} from "./judges.ts";
import { Person } from "./person.ts";
import { reachable, type State } from "./states.ts";
import { test as base, expect, type Visitor } from "./test.ts";

export interface SweepOptions {
  text: 100 | 200; // per cent, while a state is opened
}

/** The page of a worker. It is cleared before each state. */
class Stage {
  private held: Page | undefined;

  constructor(private readonly browser: Browser) {}

  async page(): Promise<Page> {
    this.held ??= await (await this.browser.newContext()).newPage();
    return this.held;
  }

  /** Deletes cookies and session storage, also what an island stores when its page is left. */
  async clear() {
    const page = await this.page();
    await page.unrouteAll();
    await page.goto("/robots.txt");
    await page.evaluate(() => sessionStorage.clear());
    await page.context().clearCookies();
  }

  async close() {
    await this.held?.context().close();
  }
}

const test = base.extend<SweepOptions, { stage: Stage }>({
  text: [100, { option: true }],
  stage: [
    async ({ browser }, use) => {
      const stage = new Stage(browser);
      await use(stage);
      await stage.close();
    },
    { scope: "worker" },
  ],
  context: async ({ stage, faults }, use, info) => {
    const context = (await stage.page()).context();
    const unwatch = faults.watch(context);
    await use(context);
    if (info.status === info.expectedStatus) await stage.clear(); // otherwise the worker ends, with its page
    unwatch();
  },
  // The same state shows the same numbers each time, so a text that is too wide once is always too wide.
  person: ({ context }, use, { title, repeatEachIndex }) => {
    const number = (whose: string) => {
      const sum = createHash("sha256").update(`${title} ${repeatEachIndex} ${whose}`).digest();
      return `9${(sum.readUInt32BE() % 9e8) + 1e8}`;
    };
    return use(new Person(context.request, number));
  },
  page: async ({ context, stage, text, viewport }, use) => {
    const page = await stage.page();
    expect(await context.cookies(), "what an earlier state has left").toEqual([]);
    await page.emulateMedia({ reducedMotion: "reduce", colorScheme: null }); // colours are checked without transitions
    if (viewport) await page.setViewportSize(viewport);
    await setText(page, text);
    await use(page);
  },
});

interface Way {
  name: string;
  ofPages: Judge[];
  ofBlocks: Judge[];
  looks: Look[];
  widths: number[];
}

// `./task test:long` checks whole pages in both themes and in every width: half of the looks and widths with scripts, half without, and
// all of them if a state needs or forbids scripts. The everyday run has fewer looks and widths. It skips blocks that an earlier state
// has shown. If all blocks were shown before, it checks only texts. Without scripts it skips checks that do not depend on scripts.
const long = Boolean(process.env.LONG);

const withScripts: Way = {
  name: "with scripts",
  ofPages,
  ofBlocks,
  looks: [
    { colorScheme: "light", width: 1280 },
    { colorScheme: "dark", width: 360 },
  ],
  widths: long ? [320, 360, 480, 768, 1024, 1280] : [320, 768, 1280, 360],
};
const without: Way = {
  name: "without",
  ofPages: long ? ofPages : ofPagesBriefly,
  ofBlocks: long ? ofBlocks : ofBlocksBriefly,
  looks: long
    ? [
        { colorScheme: "light", width: 360 },
        { colorScheme: "dark", width: 1280 },
      ]
    : [{ colorScheme: "light", width: 360 }],
  widths: long ? [320, 344, 360, 390, 640, 960, 1120, 1280] : [320, 390, 640, 1120],
};
const both: Way = {
  name: "both",
  ofPages,
  ofBlocks,
  looks: [...withScripts.looks, ...without.looks],
  widths: [...new Set([...withScripts.widths, ...without.widths])],
};

/** Tests the states of this run that a browser with or without scripts can reach; gateways names the simulated providers. */
export function sweep(scripts: boolean, states: readonly State[], gateways = "") {
  test.describe.configure({ timeout: 120_000 });
  test.use({ gateways });
  for (const state of reachable(states, scripts).filter((state) => long || isDaily(state, scripts)))
    test(`every judge agrees: ${state.name}`, async ({ page, person, enrolment }, info) => {
      const written = await opened(state, { page, person, enrolment });
      await mkdir(htmlFolder(info.project), { recursive: true });
      await writeFile(join(htmlFolder(info.project), fileName(state)), written);
      await stay(page);
      const way = state.needs ? both : scripts ? withScripts : without;
      const refreshes = state.refreshes === true && !scripts;
      let right = true;
      const say = (look: string, faults: unknown[]) => {
        right &&= faults.length === 0;
        expect.soft(faults, `${state.name}: ${look}`).toEqual([]);
      };
      const its = { page, scripts, ...way, refreshes, titles: state.titles ?? 1, say };
      const judged = new Judged(join(info.project.outputDir, "judged", `${info.project.name}, ${way.name}`));
      const shown = long ? [] : await shapes(page);
      if (!long && judged.has(shown).every(Boolean)) {
        for (const judge of ofTexts) await judge(its);
        return;
      }
      const blocks = long ? [] : await markJudged(page, judged);
      for (const judge of way.ofPages) await judge(its);
      await emptyMarked(page);
      for (const judge of way.ofBlocks) await judge(its);
      if (right) judged.add([...shown, ...blocks]);
    });
}

/** Opens a state and returns the server's latest HTML. */
async function opened(state: State, visitor: Visitor): Promise<string> {
  let html = Promise.resolve("");
  const keep = (response: Response) => {
    const navigates = response.request().isNavigationRequest() && response.frame() === visitor.page.mainFrame();
    if (!navigates || [302, 303, 307].includes(response.status())) return;
    html = response.text();
    html.catch(() => {}); // the page was left before its HTML arrived
  };
  visitor.page.on("response", keep);
  await state.open(visitor);
  visitor.page.off("response", keep);
  expect(await html, "what the server wrote").not.toBe("");
  return html;
}

/** Returns the folder for the server's HTML. */
export function htmlFolder({ outputDir, name }: Pick<FullProject, "outputDir" | "name">): string {
  return join(outputDir, "html", name);
}

export function fileName({ name }: State): string {
  return `${name}.html`;
}

/** Stops a page that redirects by itself, such as a payment's result, by answering navigations with 204. */
async function stay(page: Page) {
  await page.route("**", (route) =>
    route.request().isNavigationRequest() ? route.fulfill({ status: 204 }) : route.fallback(),
  );
}
