// A line to the site that can be cut as a phone's is: in the middle of whatever it carries.
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface Line {
  url: string;
  cut: () => void;
  mend: () => void;
  close: () => void;
}

export async function lineTo(site: string): Promise<Line> {
  const { hostname, port } = new URL(site);
  const open = new Set<Socket>();
  let whole = true;
  const server = createServer((near) => {
    if (!whole) return void near.destroy();
    const far = connect(Number(port), hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.pipe(other);
      one.on("error", () => other.destroy()).on("close", () => open.delete(one) && other.destroy());
    }
  });
  await new Promise<void>((listening) => server.listen(0, hostname, listening));
  const cut = () => {
    whole = false;
    for (const socket of open) socket.destroy();
  };
  return {
    url: `http://${hostname}:${(server.address() as AddressInfo).port}`,
    cut,
    mend: () => {
      whole = true;
    },
    close: () => {
      cut();
      server.close();
    },
  };
}
