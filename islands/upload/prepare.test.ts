// @vitest-environment node
import { expect, test, vi } from "vitest";
import { changed, prepare } from "./prepare.ts";

const kind = { pdf: true, wrongType: "", tooLarge: "" };
const paper = () => new File(["%PDF-1.4 marks"], "marks.pdf", { type: "application/pdf" });

test("a file is sent as it was when it was chosen", async () => {
  const file = paper();
  const read = vi.spyOn(file, "arrayBuffer");
  const ready = await prepare(kind, file);
  if (!ready || "todo" in ready) throw new Error("it is refused");
  read.mockRejectedValue(new DOMException("changed", "NotReadableError"));
  expect(await ready.content.text()).toBe("%PDF-1.4 marks");
  expect(ready.content.type).toBe("application/pdf");
  expect(ready.hash).toBe("aac948ab15e215216de1c5055223acfd56714cd4794ee148e0713c8757b519a4");
});

test("a file that the device no longer gives is refused as changed", async () => {
  const file = paper();
  vi.spyOn(file, "arrayBuffer").mockRejectedValue(new DOMException("changed", "NotReadableError"));
  expect(await prepare(kind, file)).toEqual(changed);
});
