// The island in front of a server that is made up.
import { readFileSync } from "node:fs";
import { act } from "preact/test-utils";
import type { Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { otherAccount, otherTab } from "./calls.ts";
import { mount } from "./main.tsx";
import type { Payload } from "./view.ts";

vi.setConfig({ testTimeout: 30_000 }); // of a machine that is busy with other tests

const draftPath = "/v2scholarship/v1/save-form-draft";
const stepPath = "/v2scholarship/v1/submit-form-details";
const readPath =
  "/v2scholarship/v1/form-draft?scholarship_code=hiresure&scholarship_requested_id=0123456789abcdefghjkmnpqrs&profile_step=2";
type Reply = Response | Error | ((body: Record<string, unknown>) => Response | Promise<Response>);

let root: Root | undefined;
let calls: { path: string; body: Record<string, unknown>; keepalive: boolean }[];
let replies: Record<string, Reply[]>;
let online: boolean;
const go = vi.fn();
const posted = vi.fn();

const ok = (body: object) => Response.json({ success: true, isOk: true, message: "Fine.", ...body });
const no = (status: number, message: string, errors: Record<string, string> = {}, headers = {}) =>
  Response.json({ success: false, isOk: false, code: status, message, errors }, { status, headers });
const draftOf = (version: number, answers: object) =>
  ok({ draft: { version, saved_at: "2026-11-21T06:36:00Z", half: true, field: "", answers } });
/** Keeps what is sent, but for fields, by their wire names. */
const kept =
  (version: number, ...not: string[]) =>
  (body: Record<string, unknown>) =>
    draftOf(
      version,
      Object.fromEntries(Object.entries(body).filter(([name]) => isAnswer(name) && !not.includes(name))),
    );
const isAnswer = (name: string) =>
  !["scholarship_code", "profile_step", "scholarship_requested_id", "version", "field"].includes(name);
const saved = ok({ profile_step: 2 });

beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-11-21T06:35:00Z") });
  calls = [];
  replies = {};
  online = true;
  go.mockReset();
  posted.mockReset();
  sessionStorage.clear();
  vi.stubGlobal("fetch", async (path: string, init: RequestInit = {}) => {
    const body = init.body ? JSON.parse(String(init.body)) : {};
    calls.push({ path, body, keepalive: init.keepalive ?? false });
    const reply = replies[path]?.shift() ?? new TypeError(`nobody answers ${path}`);
    if (reply instanceof Error) throw reply;
    return typeof reply === "function" ? reply(body) : reply;
  });
  vi.spyOn(navigator, "onLine", "get").mockImplementation(() => online);
  vi.spyOn(HTMLFormElement.prototype, "submit").mockImplementation(function (this: HTMLFormElement) {
    posted(Object.fromEntries(new FormData(this)));
  });
});

afterEach(() => {
  act(() => root?.unmount());
  root = undefined;
  document.body.replaceChildren();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const head = `<header class="rail"><p class="saved" role="status"><span class="icon icon-tick"></span><span>Saved 12:04</span></p>
  <div class="where"><b>Academic Info</b><span>Step 2 of 6</span></div></header><div class="work-ask"><p class="lede">Write it.</p></div>
  <div class="ticket known"><details></details></div>`;

function at(state: string, changes: Partial<Payload> = {}) {
  const read = (extension: string) => readFileSync(`${import.meta.dirname}/testdata/${state}.${extension}`, "utf8");
  document.body.innerHTML = `${head}<div class="island-root">${read("html").trimEnd()}</div>`;
  const payload: Payload = { ...JSON.parse(read("json")), ...changes };
  act(() => {
    root = mount(find(".island-root"), payload, go);
  });
}

function find<T extends Element>(selector: string): T {
  const found = document.querySelector<T>(selector);
  if (!found) throw new Error(`nothing is ${selector}`);
  return found;
}
const pass = (ms: number) =>
  act(async () => {
    await vi.advanceTimersByTimeAsync(ms);
  });
const field = (name: string) => find<HTMLInputElement>(`[name="${name}"]`);
function type(values: Record<string, string>) {
  for (const [name, value] of Object.entries(values))
    act(() => {
      field(name).value = value;
      field(name).dispatchEvent(new InputEvent("input", { bubbles: true }));
    });
}
async function press(value: string) {
  const submitter = find<HTMLButtonElement>(`.work-bar button[value="${value}"], .notice button[value="${value}"]`);
  act(() => {
    find("form").dispatchEvent(new SubmitEvent("submit", { bubbles: true, cancelable: true, submitter }));
  });
  await pass(10);
}
const drafts = () => calls.filter(({ path }) => path === draftPath).map(({ body }) => body);
const line = () => find(".saved span:last-child").textContent;
const notice = () => document.querySelector(".fields > .notice p")?.textContent ?? "";
const stored = () => Object.values({ ...sessionStorage }).map((text) => JSON.parse(text));
const whole = { yearSemester: "Semester 5", examName: "HSC", examYear: "2024", percentage: "81.4" };

test("a draft is sent a second after the last key, once for all that was typed", async () => {
  at("academic");
  replies[draftPath] = [kept(4)];
  type({ course: "B.Sc. Stati" });
  await pass(900);
  type({ course: "B.Sc. Statis" });
  expect(stored()).toMatchObject([{ values: { course: "B.Sc. Statis" }, version: 3, field: "course" }]);
  await pass(990);
  expect(drafts()).toEqual([]);
  await pass(20);
  expect(drafts()).toEqual([
    {
      scholarship_code: "hiresure",
      profile_step: 2,
      scholarship_requested_id: "0123456789abcdefghjkmnpqrs",
      version: 3,
      field: "course_enrolled",
      institution_name: "Sarovara College",
      course_enrolled: "B.Sc. Statis",
    },
  ]);
  expect(line()).toBe("Saved 12:06");
  expect(stored()).toEqual([]);
});

test("who types without a pause is two seconds behind at most", async () => {
  at("academic");
  replies[draftPath] = [kept(4), kept(5)];
  for (let i = 0; i < 22; i++) {
    type({ course: "B".repeat(i + 1) });
    await pass(100);
  }
  expect(drafts()).toHaveLength(1);
});

test("what is typed and taken back is not sent", async () => {
  at("academic");
  type({ course: "B.Sc. Statistics" });
  type({ course: "B.Sc. Stat" });
  await pass(5000);
  expect(drafts()).toEqual([]);
  expect(stored()).toEqual([]);
});

test("what the server keeps not is said to be kept here, stays in the tab, and is not sent again and again", async () => {
  at("academic");
  replies[draftPath] = [kept(4, "exam_name"), kept(5, "exam_name"), kept(6)];
  type({ course: "B.Com.", examName: "4111 1111 1111 1111" });
  await pass(60_000);
  expect(drafts()).toHaveLength(1);
  expect(line()).toBe("Kept here 12:05");
  expect(find(".where span").textContent).toBe("Step 2 of 6");
  expect(find(".lede").textContent).toBe("Write it.");
  expect(stored()).toMatchObject([{ values: { course: "B.Com.", examName: "4111 1111 1111 1111" }, version: 4 }]);
  type({ course: "B.Com. Hons." });
  await pass(60_000);
  expect(drafts()).toMatchObject([{ version: 3 }, { version: 4, course_enrolled: "B.Com. Hons." }]);
  expect(line()).toBe("Kept here 12:06");
  type({ examName: "HSC" });
  await pass(60_000);
  expect(drafts()).toHaveLength(3);
  expect([line(), stored()]).toEqual(["Saved 12:06", []]);
});

test("while the browser is offline nothing is tried, and it is sent as soon as it is online", async () => {
  at("academic");
  online = false;
  type({ examName: "HSC" });
  await pass(60_000);
  expect(calls).toEqual([]);
  expect(line()).toBe("Kept here 12:05");
  online = true;
  replies[draftPath] = [kept(4)];
  act(() => void dispatchEvent(new Event("online")));
  await pass(10);
  expect(drafts()).toHaveLength(1);
  expect(line()).toBe("Saved 12:06");
});

test("without an answer it stays in the tab, the page says so, and it is tried again by and by", async () => {
  at("academic");
  replies[draftPath] = [new TypeError("failed"), new TypeError("failed"), kept(4)];
  type({ examName: "HSC" });
  await pass(1100);
  expect(line()).toBe("Kept here 12:05");
  expect(find(".lede").textContent).toBe("Go on writing. NEXT sends everything as soon as the connection is back.");
  expect(find(".where span").textContent).toBe("Step 2 of 6, offline");
  expect(Array.from(document.querySelectorAll(".kept-where li"), (item) => item.textContent)).toEqual([
    "12:04On our server: Current Institution/College/School and Course Enrolled. Any device shows them.",
    "12:05On this device only: Exam Name. We send this by ourselves.",
  ]);
  await pass(2100);
  expect(drafts()).toHaveLength(2);
  act(() => void dispatchEvent(new Event("online")));
  await pass(10);
  expect(drafts()).toHaveLength(3);
  expect(line()).toBe("Saved 12:06");
  expect(find(".lede").textContent).toBe("Write it.");
  expect(find(".where span").textContent).toBe("Step 2 of 6");
});

test("what a tab holds comes back into its page, over what the server wrote, and is sent", async () => {
  at("academic");
  replies[draftPath] = [new TypeError("failed")];
  type({ course: "B.Com.", examName: "HSC" });
  await pass(1100);
  act(() => root?.unmount());
  calls = [];
  replies[draftPath] = [kept(4)];
  at("academic");
  expect([field("course").value, field("examName").value]).toEqual(["B.Com.", "HSC"]);
  await pass(1100);
  expect(drafts()).toMatchObject([{ version: 3, course_enrolled: "B.Com.", exam_name: "HSC" }]);
});

test("what a tab holds of another's application stays unread", async () => {
  at("academic");
  replies[draftPath] = [new TypeError("failed")];
  type({ course: "B.Com." });
  await pass(1100);
  act(() => root?.unmount());
  at("academic", { registration: "another" });
  expect(field("course").value).toBe("B.Sc. Stat");
});

test("NEXT lists what is wrong, and sends nothing", async () => {
  at("academic");
  await press("next");
  expect(find(".error-summary h2").textContent).toBe("Four answers are still open");
  expect(document.activeElement).toBe(find(".error-summary"));
  expect(find(".where span").textContent).toBe("Step 2 of 6, 4 open");
  expect(calls).toEqual([]);
  type({ yearSemester: "Semester 5" });
  expect(document.querySelectorAll(".error-summary li")).toHaveLength(3);
});

test("one answer that is wrong is said at its field, which takes the focus", async () => {
  at("academic");
  type({ ...whole, percentage: "101" });
  await press("next");
  expect(document.querySelector(".error-summary")).toBeNull();
  expect(find("#e-percentage").textContent).toBe("Percentage must not exceed 100");
  expect(document.activeElement).toBe(field("percentage"));
});

test("NEXT sends the step by the version that was seen, and goes on", async () => {
  at("academic");
  replies[stepPath] = [saved.clone()];
  type(whole);
  await press("next");
  expect(calls.filter(({ path }) => path === stepPath)).toMatchObject([
    { body: { profile_step: 2, version: 3, exam_year: "2024", exam_percentage: "81.4" } },
  ]);
  expect(go).toHaveBeenCalledExactlyOnceWith("/hiresure/form/scholarship");
  expect(stored()).toEqual([]);
  await pass(5000);
  expect(drafts()).toEqual([]);
});

test("who came from the review goes back there", async () => {
  at("changed");
  replies[stepPath] = [saved.clone()];
  await press("next");
  expect(go).toHaveBeenCalledExactlyOnceWith("/hiresure/form/review");
});

test.each([
  ["a field", no(422, "Not so.", { exam_percentage: "Not so." }), () => find("#e-percentage").textContent, "Not so."],
  ["no field", no(422, "Closed."), notice, "Closed."],
  ["too much", no(429, "Too many tries.", {}, { "Retry-After": "3" }), notice, "Too many tries."],
  [
    "nothing that helps",
    no(503, "We cannot save anything at the moment."),
    notice,
    "We cannot save anything at the moment.",
  ],
])("a refusal that speaks of %s is said, and nothing is lost", async (_, reply, said, text) => {
  at("academic");
  replies[stepPath] = [reply];
  type(whole);
  await press("next");
  expect(said()).toBe(text);
  expect(go).not.toHaveBeenCalled();
  expect(field("examName").value).toBe("HSC");
  expect(find('.work-bar button[value="next"]').getAttribute("aria-busy")).toBeNull();
});

test("a line that is cut while the step is sent: it is sent once the line is back", async () => {
  at("academic");
  online = false;
  type(whole);
  await press("next");
  expect(notice()).toBe("Not sent yet: you are offline. We send this page as soon as the connection is back.");
  expect(calls).toEqual([]);
  online = true;
  replies[draftPath] = [kept(4)];
  replies[stepPath] = [saved.clone()];
  act(() => void dispatchEvent(new Event("online")));
  await pass(50);
  expect(calls.map(({ path, body }) => [path, body.version])).toEqual([
    [draftPath, 3],
    [stepPath, 4],
  ]);
  expect(go).toHaveBeenCalledOnce();
});

test.each([
  ["another tab was faster", no(409, otherTab)],
  ["the answers stand", no(409, "You cannot modify the previous details now.")],
  ["nobody is signed in", no(401, "Something went wrong, Please login")],
])("where %s the server's own page asks or says so, with all that is typed", async (_, reply) => {
  at("academic");
  replies[stepPath] = [reply];
  type(whole);
  await press("next");
  expect(posted).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ do: "next", seen: "3", examName: "HSC", registration: "0123456789abcdefghjkmnpqrs" }),
  );
  expect(go).not.toHaveBeenCalled();
  expect(stored()).toMatchObject([{ sent: true }]);
});

test("of who is under 18 the server's page asks for a guardian, and nothing is sent before", async () => {
  at("warned");
  type({ fatherName: "Suresh Rao", address: "12 Temple Road, Mysuru" });
  const [day, month, year] = document.querySelectorAll<HTMLInputElement>('[name="dob"]');
  if (!day || !month || !year) throw new Error("no date");
  act(() => {
    year.value = "2010";
    year.dispatchEvent(new InputEvent("input", { bubbles: true }));
  });
  await press("next");
  expect(posted).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ do: "next", fatherName: "Suresh Rao" }));
  await pass(60_000);
  expect(calls).toEqual([]);
});

test("a draft that another tab has overtaken is told, and nothing more is sent before one chooses", async () => {
  at("academic");
  replies[draftPath] = [no(409, otherTab)];
  type({ course: "B.Com." });
  await pass(1100);
  expect(notice()).toBe(otherTab);
  expect(line()).toBe("Not saved yet");
  type({ course: "B.Com. Hons." });
  await pass(5000);
  expect(drafts()).toHaveLength(1);
  await press("keep");
  expect(posted).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ do: "keep", course: "B.Com. Hons." }));
});

test("who is signed out while typing is told, and finds it in the tab", async () => {
  at("academic");
  replies[draftPath] = [no(401, "Something went wrong, Please login")];
  type({ course: "B.Com." });
  await pass(1100);
  expect(notice()).toBe("You are signed out. What you typed is kept in this tab: sign in, and you come back to it.");
  expect(line()).toBe("Kept here 12:05");
  expect(find(".notice a").getAttribute("href")).toBe("/account/sign-in?next=%2Fhiresure%2Fform%2Facademic");
  expect(stored()).toMatchObject([{ values: { course: "B.Com." } }]);
});

const anothers = () => no(404, "Registration not found.");

test("what is typed while another account is signed in stays in the tab, and no key after it is sent", async () => {
  at("academic");
  replies[draftPath] = [anothers()];
  type({ course: "B.Com." });
  await pass(1100);
  expect(notice()).toBe(otherAccount);
  expect(line()).toBe("Kept here 12:05");
  expect(stored()).toMatchObject([{ values: { course: "B.Com." } }]);
  type({ course: "B.Com. Hons." });
  await pass(5000);
  expect(drafts()).toMatchObject([{ scholarship_requested_id: "0123456789abcdefghjkmnpqrs" }]);
});

test("NEXT while another account is signed in sends nothing to it, and stays", async () => {
  at("academic");
  replies[stepPath] = [anothers()];
  type(whole);
  await press("next");
  expect(calls).toMatchObject([{ path: stepPath, body: { scholarship_requested_id: "0123456789abcdefghjkmnpqrs" } }]);
  expect(notice()).toBe(otherAccount);
  await pass(5000);
  expect(calls).toHaveLength(1);
  expect([go.mock.calls, posted.mock.calls]).toEqual([[], []]);
  expect(stored()).toMatchObject([{ values: { examName: "HSC" } }]);
});

test("a page that comes back from memory to another account says so, and keeps its answers", async () => {
  at("academic");
  replies[readPath] = [anothers()];
  act(() => void dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true })));
  await pass(10);
  expect([notice(), line(), field("course").value]).toEqual([otherAccount, "Saved 12:04", "B.Sc. Stat"]);
  type({ course: "B.Com." });
  await pass(5000);
  expect(drafts()).toEqual([]);
});

test("BACK keeps what is typed by a post, and without a line stays", async () => {
  at("academic");
  online = false;
  await press("back");
  expect(notice()).toBe("Not sent: you are offline. Please try again once you are online.");
  expect(posted).not.toHaveBeenCalled();
  online = true;
  await press("back");
  expect(posted).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ do: "back", course: "B.Sc. Stat" }));
});

test("a warning does not stop NEXT, and goes as it is mended", async () => {
  at("warned");
  expect(find(".warns").textContent).toContain("This PIN code does not look like one from Kerala. Please check.");
  type({ zip: "670001" });
  expect(document.querySelector(".warns")).toBeNull();
});

test("the ticket's stub grows with what is typed", () => {
  at("academic");
  type({ course: "", institution: "" });
  expect(document.querySelector(".ticket-stub")).toBeNull();
  type({ institution: "Sarovara", course: "B.Sc.", yearSemester: "Semester 5" });
  expect(Array.from(find(".ticket-stub").children, ({ textContent }) => textContent)).toEqual([
    "Typed on this page",
    "Sarovara",
    "B.Sc., Semester 5",
  ]);
});

test("a page that the server has refused is not said to be saved", async () => {
  at("refused");
  replies[draftPath] = [kept(4)];
  await pass(1100);
  expect(drafts()).toMatchObject([{ profile_step: 3, received_other_scholarship: false }]);
});

test("a page that comes back from memory learns what was kept meanwhile", async () => {
  at("academic");
  replies[readPath] = [
    ok({
      draft: {
        version: 9,
        saved_at: "2026-11-21T06:40:00Z",
        half: false,
        field: "",
        answers: { course_enrolled: "B.Com.", institution_name: "Sarovara College" },
      },
    }),
  ];
  act(() => void dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true })));
  await pass(10);
  expect(field("course").value).toBe("B.Com.");
  expect(field("seen").value).toBe("9");
  expect(line()).toBe("Saved 12:10");
});

test("a page that comes back from memory with more typed asks which answers stay, where newer ones were kept", async () => {
  at("academic");
  type({ course: "B.Com." });
  replies[readPath] = [draftOf(9, { course_enrolled: "M.A.", institution_name: "Sarovara College" })];
  replies[draftPath] = [no(409, otherTab)];
  act(() => void dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true })));
  await pass(1100);
  expect(drafts()).toMatchObject([{ version: 3, course_enrolled: "B.Com." }]);
  expect([notice(), field("course").value, field("seen").value]).toEqual([otherTab, "B.Com.", "3"]);
});

test("a page that comes back from memory goes on where the same was kept", async () => {
  at("academic");
  type({ course: "B.Com." });
  replies[readPath] = [draftOf(9, { course_enrolled: "B.Com.", institution_name: "Sarovara College" })];
  act(() => void dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true })));
  await pass(5000);
  expect([drafts(), field("seen").value, line(), stored()]).toEqual([[], "9", "Saved 12:06", []]);
});

/** As kept, after so long. */
const late =
  (ms: number, version: number): Reply =>
  async (body) => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    return kept(version)(body);
  };

test("NEXT waits for the draft under way, and is of the version that it leaves", async () => {
  at("academic");
  replies[draftPath] = [late(5000, 4)];
  replies[stepPath] = [saved.clone()];
  type(whole);
  await pass(1100);
  await press("next");
  await pass(3000);
  expect(calls.map(({ path }) => path)).toEqual([draftPath]);
  await pass(2000);
  expect(calls.map(({ path, body }) => [path, body.version])).toEqual([
    [draftPath, 3],
    [stepPath, 4],
  ]);
  expect(go).toHaveBeenCalledOnce();
});

test("no draft is sent while NEXT is, and what is typed meanwhile is sent where that is refused", async () => {
  at("academic");
  replies[stepPath] = [
    async () => {
      await new Promise((resolve) => setTimeout(resolve, 5000));
      return no(422, "Closed.");
    },
  ];
  replies[draftPath] = [kept(4)];
  type(whole);
  await press("next");
  type({ course: "B.Com." });
  await pass(4900);
  expect(calls.map(({ path }) => path)).toEqual([stepPath]);
  await pass(1200);
  expect(drafts()).toMatchObject([{ version: 3, course_enrolled: "B.Com." }]);
});

test.each(["back", "next"])(
  "%s by a post waits for the draft under way, and is of the version that it leaves",
  async (button) => {
    at("warned");
    replies[draftPath] = [late(5000, 4)];
    type({ fatherName: "Suresh Rao", address: "12 Temple Road, Mysuru" });
    const year = document.querySelectorAll<HTMLInputElement>('[name="dob"]')[2];
    if (!year) throw new Error("no date");
    act(() => {
      year.value = "2010";
      year.dispatchEvent(new InputEvent("input", { bubbles: true }));
    });
    await pass(1100);
    await press(button);
    expect(posted).not.toHaveBeenCalled();
    await pass(5000);
    expect(posted).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ do: button, seen: "4" }));
  },
);

test("after a server that was down and a refusal, what is typed is sent again", async () => {
  at("academic");
  replies[draftPath] = [no(503, "Not at the moment."), no(422, "Closed."), kept(4)];
  type({ course: "B.Com." });
  await pass(1100);
  expect(line()).toBe("Kept here 12:05");
  await pass(2100);
  expect([notice(), drafts().length]).toEqual(["Closed.", 2]);
  type({ course: "B.Com. Hons." });
  await pass(1100);
  expect(drafts()[2]).toMatchObject({ course_enrolled: "B.Com. Hons." });
  expect(line()).toBe("Saved 12:06");
});

const hide = () => act(() => void dispatchEvent(new Event("pagehide")));

test("a page that goes sends what is not sent yet, once", async () => {
  at("academic");
  hide();
  expect(calls).toEqual([]);
  type({ course: "B.Com." });
  hide();
  expect(calls).toMatchObject([{ path: draftPath, body: { version: 3, course_enrolled: "B.Com." }, keepalive: true }]);
});

test("a page that was sent, or that rests, sends nothing as it goes", async () => {
  at("academic");
  type({ course: "B.Com." });
  await press("back");
  hide();
  expect([posted.mock.calls.length, calls]).toEqual([1, []]);
  act(() => root?.unmount());
  at("academic");
  replies[draftPath] = [no(409, otherTab)];
  type({ course: "B.Com." });
  await pass(1100);
  hide();
  expect(drafts()).toHaveLength(1);
});

test("what a tab holds is forgotten where the server has it by now, whose version counts", async () => {
  at("academic");
  replies[draftPath] = [new TypeError("failed")];
  type({ course: "B.Com." });
  await pass(1100);
  act(() => root?.unmount());
  for (const [name, text] of Object.entries({ ...sessionStorage }))
    sessionStorage.setItem(name, text.replace("B.Com.", "B.Sc. Stat")); // as the server writes it now
  at("academic", { version: 4 });
  expect([field("seen").value, stored()]).toEqual(["4", []]);
});
