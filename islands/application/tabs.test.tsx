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

/** Returns stored input of the given age. */
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
  unmount();
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

test("a page that was refused comes back as it was, and asks again: nothing is kept by itself", async () => {
  await overtaken();
  replies[draftPath] = [no(409, otherTab)];
  at("academic", newerDraft);
  expect([field("course").value, field("examName").value]).toEqual(["B.Sc. Stat", "HSC"]);
  await pass(5000);
  expect(drafts()).toMatchObject([{ version: 3, course_enrolled: "B.Sc. Stat", exam_name: "HSC" }]);
  expect([notice(), field("seen").value]).toEqual([otherTab, "3"]);
  expect(stored()).toMatchObject([{ version: 3, values: { course: "B.Sc. Stat" } }]);
});

test("a page that was kept before comes back too, where others' answers were kept since", async () => {
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

test("a page that comes back from memory after it was refused keeps its answers, and asks", async () => {
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

test("a page that was sent and taken is the server's", async () => {
  await overtaken();
  at("academic", { version: 4, values: { ...newerDraft.values, course: "B.Sc. Stat", ...whole } });
  await pass(5000);
  expect([drafts(), stored(), field("seen").value]).toEqual([[], [], "4"]);
});

test("what a browser writes back into a field was typed over the version before", async () => {
  await overtaken();
  replies[draftPath] = [no(409, otherTab)];
  at("academic", { version: 5, values: { course: "B.Sc. Stat", institution: "Sarovara College", ...whole } }, () => {
    field("course").value = "B.Com.";
  });
  await pass(5000);
  expect(drafts()).toMatchObject([{ version: 3, course_enrolled: "B.Com." }]);
  expect(notice()).toBe(otherTab);
});
