// Uploads a file by tus, and resumes after each break. Loaded with the first file.
import { type DetailedError, Upload } from "tus-js-client";
import { parseJSON } from "../runtime/schema.ts";
import { filesPath, refusalSchema } from "./wire.ts";

export interface NewFile {
  registration: string;
  kind: string;
  name: string;
  content: Blob;
  hash: string; // SHA-256, hexadecimal
  address: string; // of its unfinished upload; "" for none
}

export interface Callbacks {
  progress: (sent: number) => void;
  /** It is tried again in so many milliseconds. */
  lost: (milliseconds: number) => void;
  /** Complete; the address shows its state. */
  whole: (address: string) => void;
  /** It does not go on by itself. */
  failed: (message: string, status: number) => void;
}

export interface Sending {
  goOn: () => void;
  /** Stops. Returns the upload's address; "" if unknown. */
  stop: () => string;
}

/**
 * From the first try after a break on; what a train's tunnel lasts, then as often as a phone can bear. A site that has not
 * seen the break keeps what came before it within 0.3 s (web.Cuts): who asks sooner sends that twice.
 */
const pauses = [700, 1000, 3000, 5000, 10_000, ...Array.from({ length: 120 }, () => 20_000)];

const unreached = "The connection was lost. What arrived is kept. Press Go on now, or choose the same file later.";

export function send(file: NewFile, callbacks: Callbacks): Sending {
  const upload = new Upload(file.content, {
    endpoint: filesPath,
    uploadUrl: file.address || null,
    metadata: {
      registration: file.registration,
      kind: file.kind,
      filename: file.name,
      filetype: file.content.type,
      sha256: file.hash,
    },
    retryDelays: pauses,
    storeFingerprintForResuming: false, // the server knows unfinished uploads of every device
    onProgress: callbacks.progress,
    onSuccess: () => callbacks.whole(upload.url ?? ""),
    onShouldRetry: (error, attempt) => {
      if (!passes(error)) return false;
      callbacks.lost(pauses[attempt] ?? 0);
      return true;
    },
    onError: (error) => {
      const answer = "originalResponse" in error ? error.originalResponse : null;
      const { message = "", errors = {} } = parseJSON(refusalSchema, answer?.getBody() ?? "") ?? {};
      callbacks.failed(errors[file.kind] ?? (message || unreached), answer?.getStatus() ?? 0);
    },
  });
  upload.start();
  return {
    goOn: () => void upload.abort().then(() => upload.start()),
    stop: () => {
      void upload.abort();
      return upload.url ?? "";
    },
  };
}

/** Whether a fault may be over with the next try. The server's word on a file stays as it is. */
function passes({ originalResponse, originalRequest }: DetailedError): boolean {
  const status = originalResponse?.getStatus() ?? 0;
  if (status === 409) return originalRequest?.getMethod() === "PATCH"; // it has more, or less, than we believed
  return status === 0 || status === 408 || status >= 500;
}
