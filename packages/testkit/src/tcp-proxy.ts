import { connect, createServer, type Server, type Socket } from 'node:net';

/** `toServer`: data sent by the connecting side. */
export type Direction = 'toServer' | 'toClient';

interface Link {
  readonly client: Socket;
  readonly server: Socket;
  /** Bytes passed on, and the last of them, to find a pattern that comes in pieces. */
  readonly passed: Record<Direction, { bytes: number; tail: Buffer }>;
}

/**
 * A TCP proxy that misbehaves on demand: cuts (now, after a number of bytes, or right after a pattern has been passed
 * on), delays, or goes silent with the connection open. Rules apply to existing and future connections.
 */
export class TcpProxy {
  readonly #server: Server;
  readonly #target: { host: string; port: number };
  readonly #links = new Set<Link>();
  #delayMs = 0;
  #silent = false;
  #refusing = false;
  #byteRule: { direction: Direction; bytes: number } | null = null;
  #patternRule: { direction: Direction; pattern: Buffer; cut: () => void } | null = null;

  private constructor(target: { host: string; port: number }) {
    this.#target = target;
    this.#server = createServer((client) => this.#accept(client));
  }

  static async start(target: { host?: string; port: number }): Promise<TcpProxy> {
    const proxy = new TcpProxy({ host: target.host ?? '127.0.0.1', port: target.port });
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get port(): number {
    const address = this.#server.address();
    return address !== null && typeof address === 'object' ? address.port : 0;
  }

  /** Connections there are. */
  get connections(): number {
    return this.#links.size;
  }

  /** Returns the same URL routed through the proxy. */
  through(url: string): string {
    const proxied = new URL(url);
    proxied.host = `127.0.0.1:${this.port}`;
    return proxied.href;
  }

  /** Cuts all connections, as a reset. */
  cut(): void {
    for (const link of [...this.#links]) this.#drop(link);
  }

  /** Cuts a connection when it has passed so many bytes on in a direction; the rest of the chunk is lost. */
  cutAfterBytes(direction: Direction, bytes: number): void {
    this.#byteRule = { direction, bytes };
  }

  /**
   * Cuts the connection that first passes the pattern on, right after it: with `toServer` and `COMMIT` the server gets
   * it and its response never arrives. Resolves when that has happened; the rule is used up then.
   */
  cutAfterPattern(direction: Direction, pattern: string | Buffer): Promise<void> {
    // What went by before is no part of it.
    for (const { passed } of this.#links) passed[direction].tail = Buffer.alloc(0);
    return new Promise((resolve) => {
      this.#patternRule = { direction, pattern: Buffer.from(pattern), cut: resolve };
    });
  }

  /** Both sides stay connected and receive nothing more: simulates a lost route. */
  goSilent(): void {
    this.#silent = true;
  }

  /** Passes every chunk on so much later. */
  delay(delayMs: number): void {
    this.#delayMs = delayMs;
  }

  /** Resets new connections. */
  refuse(): void {
    this.#refusing = true;
  }

  /** Behaves normally again. Data swallowed while silent stays lost. */
  heal(): void {
    this.#delayMs = 0;
    this.#silent = false;
    this.#refusing = false;
    this.#byteRule = null;
    this.#patternRule = null;
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #accept(client: Socket): void {
    if (this.#refusing) {
      client.on('error', () => {});
      client.resetAndDestroy();
      return;
    }
    const server = connect(this.#target);
    const passed = { toServer: { bytes: 0, tail: Buffer.alloc(0) }, toClient: { bytes: 0, tail: Buffer.alloc(0) } };
    const link: Link = { client, server, passed };
    this.#links.add(link);
    this.#pipe(link, 'toServer', client, server);
    this.#pipe(link, 'toClient', server, client);
  }

  #pipe(link: Link, direction: Direction, from: Socket, to: Socket): void {
    from.setNoDelay(true);
    from.on('data', (chunk: Buffer) => {
      if (this.#delayMs === 0) this.#pass(link, direction, to, chunk);
      else setTimeout(() => this.#pass(link, direction, to, chunk), this.#delayMs);
    });
    from.on('end', () => {
      if (!this.#silent) setTimeout(() => to.end(), this.#delayMs);
    });
    from.on('error', () => this.#drop(link));
    from.on('close', () => {
      if (!this.#silent) setTimeout(() => this.#drop(link), this.#delayMs);
    });
  }

  #pass(link: Link, direction: Direction, to: Socket, chunk: Buffer): void {
    if (this.#silent || to.destroyed) return;
    const passed = link.passed[direction];
    const room =
      this.#byteRule?.direction === direction
        ? Math.max(0, this.#byteRule.bytes - passed.bytes)
        : Number.POSITIVE_INFINITY;
    const allowed = chunk.subarray(0, room);
    passed.bytes += allowed.length;
    const rule = this.#patternRule?.direction === direction ? this.#patternRule : null;
    const text = Buffer.concat([passed.tail, allowed]);
    passed.tail = text.subarray(Math.max(0, text.length - (rule?.pattern.length ?? 1) + 1));
    const found = rule !== null && text.includes(rule.pattern);
    to.write(allowed);
    if (found) {
      // Only one connection is cut: the rule is removed before another can match it.
      this.#patternRule = null;
      this.#drop(link);
      rule.cut();
    } else if (allowed.length < chunk.length || room === chunk.length) this.#drop(link);
  }

  /**
   * The client is reset immediately, so that no response can reach it; the server reads the data passed on, then the
   * end.
   */
  #drop(link: Link): void {
    if (!this.#links.delete(link)) return;
    // libuv refuses a reset while an end is in progress, and Node 24 then never closes the handle: the process could
    // not end.
    if (link.client.writableEnded) link.client.destroy();
    else link.client.resetAndDestroy();
    link.server.end();
  }
}
