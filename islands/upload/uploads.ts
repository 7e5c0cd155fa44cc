// The documents that are on their way: each in its row, as far as it has come.
import { tellRail } from "../runtime/rail.ts";
import { parseJSON } from "../runtime/schema.ts";
import { adopt, asked } from "./page.ts";
import type { Prepared } from "./prepare.ts";
import { draw, refuse, unfinished } from "./row.ts";
import type { NewFile, Sending } from "./send.ts";
import { type Begun, forget, pagePath, uploads, verdictSchema } from "./wire.ts";
import {
  begun,
  checking,
  continues,
  going,
  headline,
  lost,
  notForgotten,
  notLoaded,
  notYetForgotten,
  stillOpen,
  stopped,
  stopping,
  timeLeft,
} from "./words.ts";

interface Way {
  file: { name: string; size: number };
  sent: number;
  look: "going" | "lost" | "checking";
  since: { at: number; sent: number }; // this try
  again: number; // when the next begins
  there: string; // the document that was in the row before
  whole?: NewFile; // what is sent; the server has all of a file that is only checked
  sending?: Sending; // from when the script that sends is there
  said?: string; // why it does not go on
  stopped?: boolean; // nothing leaves any more, and what arrived is to be forgotten
}

/** Upload, pressed with no file: an application that was submitted elsewhere says that nothing was taken of it any more. */
function nothingSent(): FormData {
  const fields = new FormData();
  fields.set("do", "upload");
  return fields;
}

/** The document that a row shows; "" for none. */
const documentIn = (row: HTMLElement | null): string =>
  row?.querySelector<HTMLButtonElement>("[name=delete]")?.value ?? "";

export class Ways {
  private readonly ways = new Map<string, Way>();
  private readonly begun = new Map<string, Begun>(); // elsewhere, or before this page
  private readonly live = document.createElement("p");

  constructor(private readonly form: HTMLFormElement) {
    this.live.className = "visually-hidden";
    this.live.setAttribute("role", "status");
    form.prepend(this.live);
    setInterval(() => {
      for (const [kind, { look }] of this.ways) if (look === "lost") this.show(kind); // counts down
    }, 1000);
    addEventListener("online", () => {
      for (const [kind, { look, stopped }] of this.ways) {
        if (look !== "lost") continue;
        if (stopped) void this.stop(kind);
        else this.goOn(kind);
      }
    });
  }

  row = (kind: string): HTMLElement | null => this.form.querySelector(`li[data-kind="${kind}"]`);
  has = (kind: string): boolean => this.ways.has(kind);
  get busy(): boolean {
    return this.ways.size > 0;
  }

  say(kind: string, text: string): void {
    this.live.textContent = `${this.row(kind)?.dataset.label}: ${text}`;
  }

  /** What the server has of files that no page sends now. */
  found(uploads: Begun[]): void {
    for (const upload of uploads) {
      if (upload.state === "receiving" && upload.size > 0) this.begun.set(upload.kind, upload);
      if (upload.state === "checking" && !this.has(upload.kind))
        this.checks(upload.kind, this.add(upload.kind, upload), upload.address);
    }
    this.tellBegun();
  }

  /** Takes over the server's page, but for what is on its way. */
  take(page: Document): void {
    adopt(this.form, page, this.has);
    this.tellBegun();
    this.head();
  }

  async send(kind: string, { content, name, hash }: Prepared): Promise<void> {
    const known = this.begun.get(kind);
    const same = known?.sha256 === hash && known.size === content.size;
    this.begun.delete(kind);
    const way = this.add(kind, { name, size: content.size }, same ? known.received : 0);
    this.show(kind);
    this.head();
    this.say(kind, `${name} is being sent`);
    const registration = this.form.querySelector<HTMLInputElement>("[name=registration]")?.value ?? "";
    way.whole = { registration, kind, name, content, hash, address: same ? known.address : "" };
    await this.begin(kind, way, way.whole);
  }

  private async begin(kind: string, way: Way, file: NewFile): Promise<void> {
    const script = await import("./send.ts").catch(() => undefined);
    if (this.ways.get(kind) !== way || way.stopped || way.sending) return;
    if (!script) return this.fails(kind, way, notLoaded, 0);
    way.sending = script.send(file, {
      progress: (sent) => {
        if (way.look !== "going") way.since = { at: Date.now(), sent };
        Object.assign(way, { sent, look: "going", said: undefined });
        this.show(kind);
      },
      lost: (milliseconds) => {
        if (way.look !== "lost") this.say(kind, "the connection is lost, and what arrived is kept");
        Object.assign(way, { look: "lost", again: Date.now() + milliseconds });
        this.show(kind);
      },
      whole: (address) => this.checks(kind, way, address),
      failed: (message, status) => this.fails(kind, way, message, status),
    });
  }

  private add(kind: string, { name, size }: { name: string; size: number }, sent = 0): Way {
    const there = documentIn(this.row(kind));
    const way: Way = { file: { name, size }, sent, look: "going", since: { at: Date.now(), sent }, again: 0, there };
    this.ways.set(kind, way);
    return way;
  }

  private checks(kind: string, way: Way, address: string): void {
    if (this.ways.get(kind) !== way) return;
    Object.assign(way, { look: "checking", sent: way.file.size });
    this.show(kind);
    this.head();
    this.say(kind, checking);
    void this.watch(kind, way, address);
  }

  /** Asks for the verdict until there is one. */
  private async watch(kind: string, way: Way, address: string): Promise<void> {
    const headers = { Accept: "application/json" };
    const answer = await fetch(`${address}/verdict`, { headers }).catch(() => undefined);
    const verdict = answer?.ok ? parseJSON(verdictSchema, await answer.text()) : undefined;
    if (this.ways.get(kind) !== way) return;
    const over = verdict ? ["ready", "refused"].includes(verdict.state) : answer && answer.status < 500;
    if (over) await this.ended(kind);
    else setTimeout(() => void this.watch(kind, way, address), answer ? 1000 : 3000);
  }

  /** Shows what has become of a document; false: later, when the server is reached. */
  private async ended(kind: string): Promise<boolean> {
    const page = await asked();
    if (!page) {
      setTimeout(() => void this.ended(kind), 3000);
      return false;
    }
    this.ways.delete(kind);
    this.begun.delete(kind);
    this.take(page);
    const now = this.row(kind);
    const told = now?.querySelector(".document-wrong") ?? now?.querySelector(".document-state");
    if (told) this.say(kind, told.textContent?.trim().replace(/\s+/g, " ") ?? "");
    return true;
  }

  private fails(kind: string, way: Way, message: string, status: number): void {
    if (this.ways.get(kind) !== way) return;
    if (status === 401) location.assign(`/account/sign-in?next=${encodeURIComponent(pagePath)}`);
    if (status === 0 || status === 401 || status === 423 || status >= 500) {
      Object.assign(way, { look: "lost", said: message });
      this.say(kind, message);
      this.show(kind);
      return;
    }
    this.ways.delete(kind);
    void asked(status === 409 ? nothingSent() : undefined).then((page) => {
      if (page) this.take(page);
      this.refuse(kind, way.file, message, "");
    });
  }

  refuse(kind: string, file: { name: string; size: number }, message: string, todo: string): void {
    const row = this.row(kind);
    if (!row) return;
    refuse(row, file, message, todo);
    const open = this.tellOpen();
    if (!this.busy) this.heads(stillOpen(open), "Each one says what is wrong and what to do. What arrived is kept.");
  }

  private goOn(kind: string): void {
    const way = this.ways.get(kind);
    if (way?.look !== "lost") return;
    Object.assign(way, { again: Date.now(), said: undefined, stopped: false });
    if (way.sending) way.sending.goOn();
    else if (way.whole) {
      way.look = "going";
      void this.begin(kind, way, way.whole);
    }
    this.show(kind);
    this.head();
  }

  /** Sends nothing more, and says that nothing is kept once the server has said so. */
  private async stop(kind: string): Promise<void> {
    const way = this.ways.get(kind);
    if (!way || (way.stopped && way.look === "going")) return;
    Object.assign(way, { stopped: true, look: "going", said: stopping });
    const begun = way.sending?.stop() ?? way.whole?.address ?? "";
    this.show(kind);
    this.head();
    const forgotten = await this.forgets(way, begun);
    if (this.ways.get(kind) !== way) return;
    if (!forgotten) {
      Object.assign(way, { look: "lost", said: notForgotten });
      this.say(kind, notForgotten);
      return this.show(kind);
    }
    const shown = await this.ended(kind);
    const now = documentIn(this.row(kind));
    if (shown && (now === "" || now === way.there)) this.say(kind, stopped); // else it was faster
  }

  /** Has the server forget what arrived; the answer that names its address may have been cut off. */
  private async forgets({ sending, whole }: Way, address: string): Promise<boolean> {
    if (address) return forget(address);
    if (!sending) return true; // nothing has left
    const all = await uploads();
    const begun = all?.filter(({ kind, sha256 }) => kind === whole?.kind && sha256 === whole.hash);
    return begun !== undefined && (await Promise.all(begun.map(({ address }) => forget(address)))).every(Boolean);
  }

  private show(kind: string): void {
    const way = this.ways.get(kind);
    const row = this.row(kind);
    if (!way || !row) return;
    const { look, sent, file } = way;
    const left = timeLeft(sent - way.since.sent, Date.now() - way.since.at, file.size - sent);
    const seconds = Math.max(0, Math.ceil((way.again - Date.now()) / 1000));
    const told = { going: going(sent, file.size, left), lost: lost(sent, file.size, seconds), checking }[look];
    const text = (look !== "checking" && way.said) || told;
    const stop = { text: way.said === notForgotten ? "Forget it" : "Stop", act: () => void this.stop(kind) };
    const now = { text: "Go on now", act: () => this.goOn(kind) };
    draw(row, { ...file, sent, look, text, acts: { going: [stop], lost: [now, stop], checking: [] }[look] });
  }

  private tellBegun(): void {
    for (const [kind, upload] of this.begun)
      this.tellOf(kind, upload, begun(upload.name, upload.received, upload.size));
  }

  private tellOf(kind: string, upload: Begun, text: string): void {
    const row = this.row(kind);
    if (!row || this.has(kind)) return;
    unfinished(row, text, async () => {
      if (await forget(upload.address)) return void (await this.ended(kind));
      this.tellOf(kind, upload, notForgotten);
      this.say(kind, notForgotten);
    });
  }

  private heads(title: string, lede: string): void {
    const [first, second] = document.querySelectorAll(".work-ask h1, .work-ask .lede");
    if (first) first.textContent = title;
    if (second) second.textContent = lede;
  }

  private tellOpen(): number {
    const open = this.form.querySelectorAll(".document-wrong").length;
    tellRail(document, open > 0 ? `${open} to repair` : "");
    return open;
  }

  private head(): void {
    this.tellOpen();
    if (!this.busy) return;
    const there = this.form.querySelectorAll("li:not(.is-going) [name=delete]").length;
    const ends = [...this.ways.values()].filter((way) => way.stopped).length;
    const goes = this.ways.size - ends;
    this.heads(headline(there, goes, ends), goes > 0 ? continues : notYetForgotten);
    const last = this.form.querySelector(".documents-bar p")?.lastChild;
    if (last) last.textContent = " needed documents are in. Keep this page open until the others have arrived.";
  }
}
