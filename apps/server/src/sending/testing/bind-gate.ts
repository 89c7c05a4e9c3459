/** A proxy to a carrier that allows, refuses and cuts binds by their mode. */
import { connect, createServer, type Socket } from 'node:net';

export type Mode = 'receiver' | 'transmitter' | 'transceiver';

/** By the command_id of a session's first PDU (SMPP 3.4 §5.1.2.1). */
const MODES: Readonly<Record<number, Mode>> = { 1: 'receiver', 2: 'transmitter', 9: 'transceiver' };
const COMMAND_ID_AT = 4;

export class BindGate {
  port = 0;
  private readonly refused = new Set<Mode>();
  private readonly links = new Map<Socket, Mode>();
  private readonly server = createServer((client) => this.accept(client));
  private readonly target: number;

  private constructor(target: number) {
    this.target = target;
  }

  static async start(target: number): Promise<BindGate> {
    const gate = new BindGate(target);
    await new Promise<void>((resolve) => gate.server.listen(0, '127.0.0.1', resolve));
    const address = gate.server.address();
    gate.port = address !== null && typeof address === 'object' ? address.port : 0;
    return gate;
  }

  count(mode: Mode): number {
    return [...this.links.values()].filter((each) => each === mode).length;
  }

  /** Cuts the sessions of this mode, and refuses new ones until `allow`. */
  refuse(mode: Mode): void {
    this.refused.add(mode);
    this.cut(mode);
  }

  allow(mode: Mode): void {
    this.refused.delete(mode);
  }

  cut(mode: Mode): void {
    for (const [client, each] of this.links) if (each === mode) client.resetAndDestroy();
  }

  async close(): Promise<void> {
    for (const client of this.links.keys()) client.resetAndDestroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private accept(client: Socket): void {
    client.on('error', () => {});
    client.once('data', (first: Buffer) => {
      const mode = MODES[first.readUInt32BE(COMMAND_ID_AT)];
      if (mode === undefined || this.refused.has(mode)) {
        client.resetAndDestroy();
        return;
      }
      this.links.set(client, mode);
      const carrier = connect(this.target, '127.0.0.1');
      carrier.on('error', () => client.destroy());
      client.on('close', () => {
        this.links.delete(client);
        carrier.end();
      });
      carrier.write(first);
      client.pipe(carrier);
      carrier.pipe(client);
    });
  }
}
