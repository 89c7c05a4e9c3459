import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { MALFORMED } from '@pahatid/carrier-simulator';
import { encodePdu, makePdu, STATUS } from '@pahatid/smpp';
import { makeRandom, mutate, WIRE_VECTORS } from '@pahatid/smpp/testing';
import { until } from '@pahatid/testkit';
import { assertAgrees } from '../verify/testing/agrees.ts';
import { makeSmppWorld, password } from './testing/smpp-world.ts';

const { db, world } = await makeSmppWorld();
await world.startServer();
/** Several, since a bind that was just left is still counted for a moment. */
const appIds: string[] = [];
while (appIds.length < 10) appIds.push((await world.addApplication({ maxConnectNum: 20 })).appId);
const [appId = ''] = appIds;
let binds = 0;
/** Of a refusal, which has no body. */
const HEADER_OCTETS = 16;

interface Octets {
  readonly id: string;
  /** `incomplete`: more octets have to follow. */
  readonly outcome: string;
  readonly hex: string;
}

const own: readonly Octets[] = [
  ...WIRE_VECTORS.map(({ section, hex }, n) => ({ id: `${n} of SMPP 3.4 §${section}`, outcome: 'ok', hex })),
  ...MALFORMED.map(({ name, hex }) => ({ id: name, outcome: 'malformed', hex })),
  ...[4, 15, 20].map((length) => ({
    id: `the first ${length} octets`,
    outcome: 'incomplete',
    hex: WIRE_VECTORS[0]!.hex.replaceAll(' ', '').slice(0, 2 * length),
  })),
];
/** A file of more of them: `{"pdus": [{"id", "outcome", "hex"}]}`. */
const file = process.env['PAHATID_SMPP_VECTORS'];
const others: readonly Octets[] = file === undefined ? [] : JSON.parse(readFileSync(file, 'utf8')).pdus;
const all = [...own, ...others];
const FUZZED = process.env['PAHATID_SOAK'] === '1' ? 2_000_000 : 3_000;
const AT_ONCE = 10;

const bindOctets = (systemId: string): Buffer =>
  encodePdu(
    makePdu('bind_transceiver', { sequence_number: 1, system_id: systemId, password, interface_version: 0x34 }),
  );
const enquireOctets = encodePdu(makePdu('enquire_link', { sequence_number: 2 }));

class RawClient {
  answered = 0;
  isBound = false;
  isClosed = false;
  readonly socket: Socket;

  constructor() {
    this.socket = connect(world.port, '127.0.0.1');
    this.socket.on('data', (octets) => {
      this.answered += octets.length;
    });
    this.socket.on('error', () => undefined);
    this.socket.on('close', () => {
      this.isClosed = true;
    });
  }

  /** Bound, unless its address has failed too often. */
  static async bind(): Promise<RawClient> {
    const client = new RawClient();
    client.socket.write(bindOctets(appIds[binds++ % appIds.length] ?? ''));
    await until(() => client.answered > 0 || client.isClosed, { what: 'an answer to the bind' });
    client.isBound = client.answered > HEADER_OCTETS;
    return client;
  }

  async close(): Promise<void> {
    this.socket.destroy();
    await until(() => this.isClosed);
  }
}

/** Each in turn, some at a time. */
const forEachOf = async <T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> => {
  const left = [...items];
  const next = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
};

/**
 * It is answered, or the connection closed. Responses, and what only carriers send, have no answer: the connection lives,
 * so what comes after them is answered. What follows an incomplete one completes it, however wrong.
 */
const assertSettled = async (client: RawClient, { id, hex, outcome }: Octets): Promise<void> => {
  const before = client.answered;
  client.socket.write(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
  client.socket.write(outcome === 'incomplete' ? Buffer.alloc(65_536, 0xff) : enquireOctets);
  await until(() => client.answered > before || client.isClosed, { what: `an answer to ${id}` });
  await client.close();
};

test(`${all.length} PDUs, right and malformed, are answered or the connection closed, after a bind`, async () => {
  await forEachOf(all, async (vector) => {
    const client = await RawClient.bind();
    assert.ok(client.isBound);
    await assertSettled(client, vector);
  });
});

test(`${FUZZED.toLocaleString('en-US')} mutated PDUs change nothing for others, whose messages are taken`, async () => {
  const random = makeRandom(20_261_128);
  const good = await world.bind(appId, { window: 10 });
  let left = FUZZED;
  const attack = async (): Promise<void> => {
    while (left > 0) {
      const client = random(2) === 0 ? new RawClient() : await RawClient.bind();
      for (let sent = 0; left > 0 && sent < 200 && !client.isClosed; sent++, left--)
        if (!client.socket.write(mutate(random)))
          await until(() => client.isClosed || !client.socket.writableNeedDrain);
      await client.close();
    }
  };
  const attacks = Array.from({ length: 4 }, attack);
  let isOver = false;
  const over = Promise.all(attacks).finally(() => {
    isOver = true;
  });
  let taken = 0;
  while (!isOver || taken < 3) {
    const { status } = await good.submit('639171234567', `Beside it ${taken}`);
    assert.equal(status, STATUS.ESME_ROK);
    taken += 1;
  }
  await over;
  assert.equal(good.closed, null);
  await assertAgrees(db.pool);
});

// Its binds fail, so that the address is refused after it.
test(`${all.length} PDUs, right and malformed, are answered or the connection closed, before a bind`, async () => {
  await forEachOf(all, (vector) => assertSettled(new RawClient(), vector));
});
