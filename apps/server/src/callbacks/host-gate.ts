/**
 * Limits concurrent requests to one host, whichever endpoints lead there; the others queue. The limit grows by one with
 * each event that arrives, and a failure takes it back to where it began.
 */
export interface HostGate {
  /** Resolves once there is room; call the returned function when the request is over. */
  enter(host: string): Promise<(hasArrived: boolean) => void>;
  /** Call when an endpoint's turn is over: a host that is not in use starts with the first limit again. */
  forget(host: string): void;
}

interface Host {
  inside: number;
  room: number;
  readonly line: (() => void)[];
}

/** Limits at first, and at most. */
export function makeHostGate({ least, most }: { least: number; most: number }): HostGate {
  const hosts = new Map<string, Host>();
  return {
    async enter(name) {
      const host = hosts.get(name) ?? { inside: 0, room: least, line: [] };
      hosts.set(name, host);
      if (host.inside < host.room) host.inside += 1;
      else await new Promise<void>((resolve) => host.line.push(resolve));
      return (hasArrived) => {
        host.inside -= 1;
        host.room = hasArrived ? Math.min(host.room + 1, most) : least;
        for (; host.inside < host.room; host.inside += 1) {
          const next = host.line.shift();
          if (next === undefined) break;
          next();
        }
      };
    },
    forget(name) {
      if (hosts.get(name)?.inside === 0) hosts.delete(name);
    },
  };
}
