// A TCP proxy to the site that can cut connections in the middle of a transfer, as a phone's can break.
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Part of an upload that was passed to the site. */
export interface Carried {
  from: number; // offset in the file
  to: number;
}

export interface Line {
  url: string;
  carried: Carried[]; // one per PATCH
  /** @param unseen keeps the site's end open, as if the site had not noticed */
  cut: (unseen?: boolean) => void;
  mend: () => void;
  close: () => void;
}

export async function lineTo(site: string): Promise<Line> {
  const { hostname, port } = new URL(site);
  const open = new Set<Socket>();
  const lost = new Set<Socket>(); // the site's ends of unnoticed cuts
  const carried: Carried[] = [];
  let whole = true;
  const server = createServer((near) => {
    if (!whole) return void near.destroy();
    const far = connect(Number(port), hostname);
    near.on("data", counts(carried));
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.pipe(other);
      one.on("error", () => {}).on("close", () => open.delete(one) && !lost.has(other) && other.destroy());
    }
  });
  await new Promise<void>((listening) => server.listen(0, hostname, listening));
  const cut = (unseen = false) => {
    whole = false;
    const ends = [...open];
    if (unseen) for (const far of ends.filter(({ remotePort }) => remotePort === Number(port))) lost.add(far);
    for (const socket of ends) if (!lost.has(socket)) socket.unpipe().destroy();
  };
  return {
    url: `http://${hostname}:${(server.address() as AddressInfo).port}`,
    carried,
    cut,
    mend: () => {
      whole = true;
    },
    close: () => {
      cut();
      for (const far of lost) far.destroy();
      server.close();
    },
  };
}

/** Parses a connection's HTTP/1.1 requests with Content-Length and counts the bytes of PATCHes. */
function counts(carried: Carried[]): (bytes: Buffer) => void {
  let head = "";
  let rest = 0; // bytes left of this request's body
  let patch: Carried | undefined;
  return (bytes) => {
    for (let at = 0; at < bytes.length; ) {
      if (rest > 0) {
        const some = Math.min(rest, bytes.length - at);
        if (patch) patch.to += some;
        rest -= some;
        at += some;
        continue;
      }
      head += String.fromCharCode(bytes[at++] ?? 0);
      if (!head.endsWith("\r\n\r\n")) continue;
      const number = (name: string) => Number(new RegExp(`^${name}: *(\\d+)`, "im").exec(head)?.[1] ?? 0);
      rest = number("Content-Length");
      const from = number("Upload-Offset");
      patch = head.startsWith("PATCH ") ? { from, to: from } : undefined;
      if (patch) carried.push(patch);
      head = "";
    }
  };
}
