// Uploads with the unmodified official tus client, as any program using the protocol.
import { createHash } from "node:crypto";
import { Upload, type UploadOptions } from "tus-js-client";
import { pdf } from "./document-states.ts";
import { agreed, pays } from "./fee-states.ts";
import { lineTo } from "./line.ts";
import type { Person } from "./person.ts";
import { expect, test } from "./test.ts";
import { upload } from "./uploads.ts";

const { buffer } = pdf("marks.pdf", 1900);
const piece = 256 * 1024;

/** Uploads with a client signed in as this person and records its HTTP methods. */
async function client(person: Person, site: string, more: UploadOptions = {}) {
  const { cookies } = await person.call.storageState();
  const used: string[] = [];
  const options: UploadOptions = {
    endpoint: `${site}${upload}/files`,
    headers: { Cookie: cookies.map(({ name, value }) => `${name}=${value}`).join("; ") },
    metadata: {
      registration: person.registration,
      kind: "marksheet",
      filename: "marks.pdf",
      filetype: "application/pdf",
      sha256: createHash("sha256").update(buffer).digest("hex"),
    },
    chunkSize: piece,
    retryDelays: [700, 700],
    onBeforeRequest: (request) => void used.push(request.getMethod()),
    ...more,
  };
  return { options, used };
}

/** Uploads until complete, or until the client gives up. */
const sends = (options: UploadOptions) =>
  new Promise<Upload>((resolve, reject) => {
    const begun = new Upload(buffer, { ...options, onSuccess: () => resolve(begun), onError: reject });
    begun.start();
  });

/** Sends two pieces and stops. */
const begins = (options: UploadOptions) =>
  new Promise<Upload>((resolve, reject) => {
    const onChunkComplete = (_: number, there: number) => {
      if (there === 2 * piece) void begun.abort().then(() => resolve(begun));
    };
    const begun = new Upload(buffer, { ...options, onChunkComplete, onError: reject });
    begun.start();
  });

const list = async (person: Person) => (await person.call.get(`${upload}/files`)).json();

test("the official client uploads a file despite a lost connection", async ({ page, person, site }) => {
  await person.at("signed up");
  await agreed(page, person);
  await pays(person, "paid");
  const line = await lineTo(site.url);
  const { options, used } = await client(person, line.url, {
    onChunkComplete: (_, there) => there === 3 * piece && line.cut(),
    onShouldRetry: () => {
      line.mend();
      return true;
    },
  });
  await sends(options);
  line.close();
  expect(used.slice(0, 4)).toEqual(["POST", "PATCH", "PATCH", "PATCH"]);
  expect(used.filter((method) => method === "HEAD")).toHaveLength(1);
  expect(used.filter((method) => method === "POST")).toHaveLength(1);
  const { documents } = await list(person);
  expect(documents).toHaveLength(1);
  expect(documents[0]).toMatchObject({ kind: "marksheet", name: "marks.pdf", state: "ready" });
});

test("the official client resumes another client's upload and deletes it", async ({ page, person, site }) => {
  await person.at("signed up");
  await agreed(page, person);
  await pays(person, "paid");
  const first = await client(person, site.url);
  const begun = await begins(first.options);
  expect((await list(person)).uploads).toMatchObject([{ received: 2 * piece, state: "receiving" }]);

  await begun.abort(true);
  expect((await list(person)).uploads).toEqual([]);
  const head = await person.call.head(begun.url ?? "", { headers: { "Tus-Resumable": "1.0.0" } });
  expect(head.status()).toBe(404);

  const again = await begins(first.options);
  expect(again.url).not.toBe(begun.url);
  const offsets: string[] = [];
  const second = await client(person, site.url, {
    uploadUrl: again.url,
    onBeforeRequest: (request) =>
      void offsets.push(`${request.getMethod()} ${request.getHeader("Upload-Offset") ?? ""}`),
  });
  await sends(second.options);
  expect(offsets.slice(0, 2)).toEqual(["HEAD ", `PATCH ${2 * piece}`]);
  expect((await list(person)).documents).toMatchObject([{ kind: "marksheet", state: "ready" }]);
});
