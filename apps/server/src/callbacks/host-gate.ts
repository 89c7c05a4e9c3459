/** Limits concurrent requests to one host, whichever endpoints lead there; the others queue. */
export interface HostGate {
  /** Resolves once there is room; call the returned function when the request is over. */
  enter(host: string): Promise<() => void>;
}

export function makeHostGate(perHost: number): HostGate {
  const hosts = new Map<string, { inside: number; line: (() => void)[] }>();
  return {
    async enter(host) {
      const of = hosts.get(host) ?? { inside: 0, line: [] };
      hosts.set(host, of);
      if (of.inside < perHost) of.inside += 1;
      // A finished request passes its place to the next one.
      else await new Promise<void>((resolve) => of.line.push(resolve));
      return () => {
        const next = of.line.shift();
        if (next !== undefined) next();
        else if (--of.inside === 0) hosts.delete(host);
      };
    },
  };
}
