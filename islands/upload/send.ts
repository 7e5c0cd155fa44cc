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
  address: string; // address of its unfinished upload; "" for none
}

export interface Callbacks {
  progress: (sent: number) => void;
  /** The connection broke; the next attempt starts in so many milliseconds. */
  lost: (milliseconds: number) => void;
  /** All bytes are sent; the address returns the upload's state. */
  whole: (address: string) => void;
  /** The upload has failed and does not resume by itself. */
  failed: (message: string, status: number) => void;
}

export interface Sending {
  goOn: () => void;
  /** Stops. Returns the upload's address; "" if unknown. */
  stop: () => string;
}

/**
 * Pauses before each retry, in ms: five that last as long as a train's tunnel, then one every 20 s, to spare the phone. A server
 * that has not noticed the break stores what it had received after 0.3 s without a byte (pieceLimits in pages/hiresure), so an
 * earlier retry would send those bytes twice.
 */
const pauses = [700, 1000, 3000, 5000, 10_000, ...Array.from({ length: 120 }, () => 20_000)];

const unreached = "The connection was lost. What arrived is kept. Press Continue now, or choose the same file later.";

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

/** Reports whether a retry may help. The server's decision about a file is final. */
function passes({ originalResponse, originalRequest }: DetailedError): boolean {
  const status = originalResponse?.getStatus() ?? 0;
  if (status === 409) return originalRequest?.getMethod() === "PATCH"; // the server's offset differs from ours
  return status === 0 || status === 408 || status >= 500;
}
