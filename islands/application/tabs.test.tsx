// A step that is open in two tabs, returns from the back/forward cache, or is left while a draft is being sent.
import { act } from "react";
import { expect, test } from "vitest";
import { otherAccount, otherTab } from "./calls.ts";
import {
  at,
  calls,
  draftOf,
  draftPath,
  drafts,
  field,
  forget,
  go,
  kept,
  line,
  no,
  notice,
  ok,
  pass,
  posted,
  press,
  type Reply,
  readPath,
  replies,
  saved,
  stepPath,
  stored,
  type,
  unmount,
  whole,
} from "./fixture.ts";

const anothers = () => no(404, "Registration not found.");

test("input typed while another account is signed in stays in the tab, and no later input is sent", async () => {
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

test("NEXT while another account is signed in saves nothing there and stays on the page", async () => {
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

test("a page from the back/forward cache notices another account and keeps its answers", async () => {
  at("academic");
  replies[readPath] = [anothers()];
  act(() => void dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true })));
  await pass(10);
  expect([notice(), line(), field("course").value]).toEqual([otherAccount, "Saved 12:04", "B.Sc. Stat"]);
  type({ course: "B.Com." });
  await pass(5000);
  expect(drafts()).toEqual([]);
});

test("a page from the back/forward cache loads what was saved meanwhile", async () => {
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

test("a page from the back/forward cache with unsaved input asks which answers to keep if newer ones were saved", async () => {
  at("academic");
  type({ course: "B.Com." });
  replies[readPath] = [draftOf(9, { course_enrolled: "M.A.", institution_name: "Sarovara College" })];
  replies[draftPath] = [no(409, otherTab)];
  act(() => void dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true })));
  await pass(1100);
  expect(drafts()).toMatchObject([{ version: 3, course_enrolled: "B.Com." }]);
  expect([notice(), field("course").value, field("seen").value]).toEqual([otherTab, "B.Com.", "3"]);
});

test("a page from the back/forward cache continues if the same answers were saved", async () => {
  at("academic");
  type({ course: "B.Com." });
  replies[readPath] = [draftOf(9, { course_enrolled: "B.Com.", institution_name: "Sarovara College" })];
  act(() => void dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true })));
  await pass(5000);
  expect([drafts(), field("seen").value, line(), stored()]).toEqual([[], "9", "Saved 12:06", []]);
});

/** Returns stored input of the given age. */
const late =
  (ms: number, version: number): Reply =>
  async (body) => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    return kept(version)(body);
  };

test("NEXT waits for the running draft and uses its new version", async () => {
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

test("no draft is sent during NEXT; input typed meanwhile is sent if NEXT is rejected", async () => {
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

test("after an outage and a rejection, input is sent again", async () => {
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

test("leaving the page sends unsaved input once", async () => {
  at("academic");
  hide();
  expect(calls).toEqual([]);
  type({ course: "B.Com." });
  hide();
  expect(calls).toMatchObject([{ path: draftPath, body: { version: 3, course_enrolled: "B.Com." }, keepalive: true }]);
});

test("leaving a sent or stopped page sends nothing", async () => {
  at("academic");
  type({ course: "B.Com." });
  await press("back");
  hide();
  expect([posted.mock.calls.length, calls]).toEqual([1, []]);
  unmount();
  at("academic");
  replies[draftPath] = [no(409, otherTab)];
  type({ course: "B.Com." });
  await pass(1100);
  hide();
  expect(drafts()).toHaveLength(1);
});

test("stored input is deleted if the server has it, and the server's version is used", async () => {
  at("academic");
  replies[draftPath] = [new TypeError("failed")];
  type({ course: "B.Com." });
  await pass(1100);
  unmount();
  for (const [name, text] of Object.entries({ ...sessionStorage }))
    sessionStorage.setItem(name, text.replace("B.Com.", "B.Sc. Stat")); // the server's newer value
  at("academic", { version: 4 });
  expect([field("seen").value, stored()]).toEqual(["4", []]);
});

const newerDraft = { version: 4, values: { course: "M.A.", institution: "Sarovara College" } };

/** Presses NEXT after another tab has saved: the server's page asks which answers to keep, and Back returns here. */
async function overtaken() {
  at("academic");
  type(whole);
  replies[stepPath] = [no(409, otherTab)];
  await press("next");
  expect(posted).toHaveBeenCalledOnce();
  unmount();
  forget();
}

test("a rejected page is restored unchanged and asks again; nothing is saved by itself", async () => {
  await overtaken();
  replies[draftPath] = [no(409, otherTab)];
  at("academic", newerDraft);
  expect([field("course").value, field("examName").value]).toEqual(["B.Sc. Stat", "HSC"]);
  await pass(5000);
  expect(drafts()).toMatchObject([{ version: 3, course_enrolled: "B.Sc. Stat", exam_name: "HSC" }]);
  expect([notice(), field("seen").value]).toEqual([otherTab, "3"]);
  expect(stored()).toMatchObject([{ version: 3, values: { course: "B.Sc. Stat" } }]);
});

test("an earlier saved page is restored too if other answers were saved since", async () => {
  at("academic");
  type(whole);
  replies[draftPath] = [kept(4)];
  await pass(1100);
  replies[stepPath] = [no(409, otherTab)];
  await press("next");
  unmount();
  at("academic", { ...newerDraft, version: 5 });
  expect([field("course").value, field("examName").value, field("seen").value]).toEqual(["B.Sc. Stat", "HSC", "4"]);
});

test("a rejected page from the back/forward cache keeps its answers and asks", async () => {
  at("academic");
  type(whole);
  replies[draftPath] = [kept(4), no(409, otherTab)];
  await pass(1100);
  replies[stepPath] = [no(409, otherTab)];
  await press("next");
  replies[readPath] = [draftOf(5, { course_enrolled: "M.A.", institution_name: "Sarovara College" })];
  act(() => void dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true })));
  await pass(1100);
  expect([notice(), field("course").value, drafts()[1]?.version]).toEqual([otherTab, "B.Sc. Stat", 4]);
});

test("an accepted page shows the server's values", async () => {
  await overtaken();
  at("academic", { version: 4, values: { ...newerDraft.values, course: "B.Sc. Stat", ...whole } });
  await pass(5000);
  expect([drafts(), stored(), field("seen").value]).toEqual([[], [], "4"]);
});

test("input that the browser restores belongs to the previous version", async () => {
  await overtaken();
  replies[draftPath] = [no(409, otherTab)];
  at("academic", { version: 5, values: { course: "B.Sc. Stat", institution: "Sarovara College", ...whole } }, () => {
    field("course").value = "B.Com.";
  });
  await pass(5000);
  expect(drafts()).toMatchObject([{ version: 3, course_enrolled: "B.Com." }]);
  expect(notice()).toBe(otherTab);
});
