// Running uploads, each shown with its progress in its row.
import { tellRail } from "../runtime/rail.ts";
import { parseJSON } from "../runtime/schema.ts";
import { adopt, fetchPage, rowsOf } from "./page.ts";
import type { Prepared } from "./prepare.ts";
import { draw, refuse, unfinished } from "./row.ts";
import type { NewFile, Sending } from "./send.ts";
import { type Begun, forget, listUploads, pagePath, verdictSchema } from "./wire.ts";
import {
  begun,
  checking,
  continues,
  going,
  headed,
  headline,
  lost,
  notForgotten,
  notLoaded,
  notYetForgotten,
  railed,
  stopped,
  stopping,
  timeLeft,
} from "./words.ts";

interface Upload {
  file: { name: string; size: number };
  sent: number;
  look: "going" | "lost" | "checking";
  since: { at: number; sent: number }; // start of this attempt
  again: number; // start of the next attempt
  there: string; // id of the document that the upload replaces
  whole?: NewFile; // the file to send; none if the server has it and only checks it
  sending?: Sending; // set once the script that sends has loaded
  said?: string; // shown instead of the progress: why it failed, or that it is being stopped
  stopped?: boolean; // stopped, and not yet deleted on the server
}

/** Returns the fields of Upload without a file. If the application was submitted elsewhere, the response says so. */
function nothingSent(): FormData {
  const fields = new FormData();
  fields.set("do", "upload");
  return fields;
}

/** Returns the id of a row's document; "" for none. */
const documentIn = (row: HTMLElement | null): string =>
  row?.querySelector<HTMLButtonElement>("[name=delete]")?.value ?? "";

const isWrong = (row: HTMLElement): boolean => row.querySelector(".document-error:not([data-missing])") !== null;

export class Uploads {
  private readonly uploads = new Map<string, Upload>();
  private readonly begun = new Map<string, Begun>(); // unfinished uploads of other pages
  private readonly refusals = new Map<string, () => unknown>(); // by kind: shows why this page refused a file
  private readonly live = document.createElement("p");

  constructor(private readonly form: HTMLFormElement) {
    this.live.className = "visually-hidden";
    this.live.setAttribute("role", "status");
    form.prepend(this.live);
    setInterval(() => {
      for (const [kind, { look }] of this.uploads) if (look === "lost") this.show(kind); // updates the countdown
    }, 1000);
    addEventListener("online", () => {
      for (const [kind, { look, stopped }] of this.uploads) {
        if (look !== "lost") continue;
        if (stopped) void this.stop(kind);
        else this.goOn(kind);
      }
    });
  }

  row = (kind: string): HTMLElement | null => this.form.querySelector(`li[data-kind="${kind}"]`);
  has = (kind: string): boolean => this.uploads.has(kind);
  get busy(): boolean {
    return this.uploads.size > 0;
  }

  say(kind: string, text: string): void {
    this.live.textContent = `${this.row(kind)?.dataset.label}: ${text}`;
  }

  /** Shows the server's uploads that this page is not sending: unfinished ones, and those being checked. */
  found(uploads: Begun[]): void {
    for (const upload of uploads) {
      if (upload.state === "receiving" && upload.size > 0) this.begun.set(upload.kind, upload);
      if (upload.state === "checking" && !this.has(upload.kind))
        this.checks(upload.kind, this.add(upload.kind, upload), upload.address);
    }
    this.tellBegun();
  }

  /** Applies the server's page, except for running uploads and for what this page has refused, which the server does not know. */
  take(page: Document): void {
    adopt(this.form, page, this.has);
    for (const [kind, again] of this.refusals) if (!this.has(kind)) again();
    this.tellBegun();
    this.updateHeading();
    if (this.refusals.size > 0) this.headRefused();
  }

  async send(kind: string, { content, name, hash }: Prepared): Promise<void> {
    this.refusals.delete(kind);
    const known = this.begun.get(kind);
    const same = known?.sha256 === hash && known.size === content.size;
    this.begun.delete(kind);
    const upload = this.add(kind, { name, size: content.size }, same ? known.received : 0);
    this.show(kind);
    this.updateHeading();
    this.say(kind, `uploading ${name}`);
    const registration = this.form.querySelector<HTMLInputElement>("[name=registration]")?.value ?? "";
    upload.whole = { registration, kind, name, content, hash, address: same ? known.address : "" };
    await this.begin(kind, upload, upload.whole);
  }

  private async begin(kind: string, upload: Upload, file: NewFile): Promise<void> {
    const script = await import("./send.ts").catch(() => undefined);
    if (this.uploads.get(kind) !== upload || upload.stopped || upload.sending) return;
    if (!script) return this.fails(kind, upload, notLoaded, 0);
    upload.sending = script.send(file, {
      progress: (sent) => {
        if (upload.look !== "going") upload.since = { at: Date.now(), sent };
        Object.assign(upload, { sent, look: "going", said: undefined });
        this.show(kind);
      },
      lost: (milliseconds) => {
        if (upload.look !== "lost") this.say(kind, "the connection is lost, and what arrived is kept");
        Object.assign(upload, { look: "lost", again: Date.now() + milliseconds });
        this.show(kind);
      },
      whole: (address) => this.checks(kind, upload, address),
      failed: (message, status) => this.fails(kind, upload, message, status),
    });
  }

  private add(kind: string, { name, size }: { name: string; size: number }, sent = 0): Upload {
    const there = documentIn(this.row(kind));
    const upload: Upload = {
      file: { name, size },
      sent,
      look: "going",
      since: { at: Date.now(), sent },
      again: 0,
      there,
    };
    this.uploads.set(kind, upload);
    return upload;
  }

  private checks(kind: string, upload: Upload, address: string): void {
    if (this.uploads.get(kind) !== upload) return;
    Object.assign(upload, { look: "checking", sent: upload.file.size });
    this.show(kind);
    this.updateHeading();
    this.say(kind, checking);
    void this.watch(kind, upload, address);
  }

  /** Polls until the server has checked the file. */
  private async watch(kind: string, upload: Upload, address: string): Promise<void> {
    const headers = { Accept: "application/json" };
    const answer = await fetch(`${address}/verdict`, { headers }).catch(() => undefined);
    const verdict = answer?.ok ? parseJSON(verdictSchema, await answer.text()) : undefined;
    if (this.uploads.get(kind) !== upload) return;
    const over = verdict ? ["ready", "refused"].includes(verdict.state) : answer && answer.status < 500;
    if (over) await this.ended(kind);
    else setTimeout(() => void this.watch(kind, upload, address), answer ? 1000 : 3000);
  }

  /** Shows a document's state. Returns false if offline, and then tries again by itself. */
  private async ended(kind: string): Promise<boolean> {
    const page = await fetchPage();
    if (!page) {
      setTimeout(() => void this.ended(kind), 3000);
      return false;
    }
    this.uploads.delete(kind);
    this.begun.delete(kind);
    this.take(page);
    const now = this.row(kind);
    const told = now?.querySelector(".document-error") ?? now?.querySelector(".document-state");
    if (told) this.say(kind, told.textContent?.trim().replace(/\s+/g, " ") ?? "");
    return true;
  }

  private fails(kind: string, upload: Upload, message: string, status: number): void {
    if (this.uploads.get(kind) !== upload) return;
    if (status === 401) location.assign(`/account/sign-in?next=${encodeURIComponent(pagePath)}`);
    if (status === 0 || status === 401 || status === 423 || status >= 500) {
      Object.assign(upload, { look: "lost", said: message });
      this.say(kind, message);
      this.show(kind);
      return;
    }
    this.uploads.delete(kind);
    void fetchPage(status === 409 ? nothingSent() : undefined).then((page) => {
      if (page) this.take(page);
      this.refuse(kind, upload.file, message, "");
    });
  }

  refuse(kind: string, file: { name: string; size: number }, message: string, todo: string): void {
    const draw = () => {
      const row = this.row(kind);
      if (row) refuse(row, file, message, todo);
      return row;
    };
    if (!draw()) return;
    this.refusals.set(kind, draw);
    this.headRefused();
  }

  private headRefused(): void {
    const refused = this.tellOpen();
    if (this.busy) return;
    const needed = rowsOf(this.form).filter(({ dataset }) => !("optional" in dataset));
    const wrong = needed.filter(isWrong);
    const open = needed.filter((one) => isWrong(one) || documentIn(one) === "").length;
    const { title, lede } = headed({ needed: needed.length, open, wrong: wrong.length, refused });
    this.setHeading(title, lede);
  }

  private goOn(kind: string): void {
    const upload = this.uploads.get(kind);
    if (upload?.look !== "lost") return;
    Object.assign(upload, { again: Date.now(), said: undefined, stopped: false });
    if (upload.sending) upload.sending.goOn();
    else if (upload.whole) {
      upload.look = "going";
      void this.begin(kind, upload, upload.whole);
    }
    this.show(kind);
    this.updateHeading();
  }

  /** Stops an upload, and confirms the deletion once the server has. */
  private async stop(kind: string): Promise<void> {
    const upload = this.uploads.get(kind);
    if (!upload || (upload.stopped && upload.look === "going")) return;
    Object.assign(upload, { stopped: true, look: "going", said: stopping });
    const begun = upload.sending?.stop() ?? upload.whole?.address ?? "";
    this.show(kind);
    this.updateHeading();
    const forgotten = await this.forgets(upload, begun);
    if (this.uploads.get(kind) !== upload) return;
    if (!forgotten) {
      Object.assign(upload, { look: "lost", said: notForgotten });
      this.say(kind, notForgotten);
      return this.show(kind);
    }
    const shown = await this.ended(kind);
    const now = documentIn(this.row(kind));
    if (shown && (now === "" || now === upload.there)) this.say(kind, stopped); // else the upload was complete before
  }

  /** Deletes an upload from the server; its address may be unknown if the response was lost. */
  private async forgets({ sending, whole }: Upload, address: string): Promise<boolean> {
    if (address) return forget(address);
    if (!sending) return true; // nothing was sent
    const all = await listUploads();
    const begun = all?.filter(({ kind, sha256 }) => kind === whole?.kind && sha256 === whole.hash);
    return begun !== undefined && (await Promise.all(begun.map(({ address }) => forget(address)))).every(Boolean);
  }

  private show(kind: string): void {
    const upload = this.uploads.get(kind);
    const row = this.row(kind);
    if (!upload || !row) return;
    const { look, sent, file } = upload;
    const left = timeLeft(sent - upload.since.sent, Date.now() - upload.since.at, file.size - sent);
    const seconds = Math.max(0, Math.ceil((upload.again - Date.now()) / 1000));
    const told = { going: going(sent, file.size, left), lost: lost(sent, file.size, seconds), checking }[look];
    const text = (look !== "checking" && upload.said) || told;
    const stop = {
      text: upload.said === notForgotten ? "Delete this upload" : "Stop",
      act: () => void this.stop(kind),
    };
    const now = { text: "Continue now", act: () => this.goOn(kind) };
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

  private setHeading(title: string, lede: string): void {
    const [first, second] = document.querySelectorAll(".application-intro h1, .application-intro .lede");
    if (first) first.textContent = title;
    if (second) second.textContent = lede;
  }

  private tellOpen(): number {
    const refused = rowsOf(this.form).filter(isWrong).length;
    tellRail(document, railed(refused, this.form.querySelectorAll(".document-error[data-missing]").length));
    return refused;
  }

  private updateHeading(): void {
    this.tellOpen();
    if (!this.busy) return;
    const there = this.form.querySelectorAll("li:not(.is-uploading) [name=delete]").length;
    const ends = [...this.uploads.values()].filter((upload) => upload.stopped).length;
    const goes = this.uploads.size - ends;
    this.setHeading(headline(there, goes, ends), goes > 0 ? continues : notYetForgotten);
  }
}
