/** So many requests at a time to one host, whoever's addresses lead there; the others stand in line. */
export interface HostGate {
  /** Resolves once there is room; to be called with what it answers when the request is over. */
  enter(host: string): Promise<() => void>;
}

export function makeHostGate(perHost: number): HostGate {
  const hosts = new Map<string, { inside: number; line: (() => void)[] }>();
  return {
    async enter(host) {
      const of = hosts.get(host) ?? { inside: 0, line: [] };
      hosts.set(host, of);
      if (of.inside < perHost) of.inside += 1;
      // Who leaves hands its place on.
      else await new Promise<void>((resolve) => of.line.push(resolve));
      return () => {
        const next = of.line.shift();
        if (next !== undefined) next();
        else if (--of.inside === 0) hosts.delete(host);
      };
    },
  };
}
