/** P8: each status with which a carrier may refuse, from the wire to the text on the screen; others are unaffected. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildRoute, buildSupplier } from '@pahatid/db/builders';
import { until } from '@pahatid/testkit';
import { wordsOf } from '../words.ts';
import { makeSecrets, masterKey, RoutingTable } from './server-parts.ts';
import { patience } from './sizes.ts';
import { World } from './world.ts';

/** Outcome of a message: `stays` never fails because of it, and is sent once the carrier accepts it. */
const golden: readonly [status: number, fate: 'fails' | 'stays', deal?: string][] = [
  [0x01, 'fails', 'REFUSED_INVALID_LENGTH'],
  [0x02, 'fails', 'REFUSED_BY_CARRIER'],
  [0x03, 'fails', 'REFUSED_BY_CARRIER'],
  [0x04, 'fails', 'REFUSED_BY_CARRIER'],
  [0x05, 'fails', 'REFUSED_BY_CARRIER'],
  [0x06, 'fails', 'REFUSED_BY_CARRIER'],
  [0x07, 'fails', 'REFUSED_BY_CARRIER'],
  [0x08, 'fails', 'TRIES_USED_UP'],
  [0x0a, 'fails', 'REFUSED_INVALID_SENDER'],
  [0x0b, 'fails', 'REFUSED_INVALID_DESTINATION'],
  [0x0c, 'fails', 'REFUSED_BY_CARRIER'],
  [0x0d, 'fails', 'REFUSED_BY_CARRIER'],
  [0x0e, 'fails', 'REFUSED_BY_CARRIER'],
  [0x0f, 'fails', 'REFUSED_BY_CARRIER'],
  [0x11, 'fails', 'REFUSED_BY_CARRIER'],
  [0x13, 'fails', 'REFUSED_BY_CARRIER'],
  [0x14, 'stays'],
  [0x15, 'fails', 'REFUSED_BY_CARRIER'],
  [0x33, 'fails', 'REFUSED_INVALID_DESTINATION'],
  [0x34, 'fails', 'REFUSED_INVALID_DESTINATION'],
  [0x40, 'fails', 'REFUSED_INVALID_DESTINATION'],
  [0x42, 'fails', 'REFUSED_BY_CARRIER'],
  [0x43, 'fails', 'REFUSED_BY_CARRIER'],
  [0x44, 'fails', 'REFUSED_BY_CARRIER'],
  [0x45, 'fails', 'TRIES_USED_UP'],
  [0x48, 'fails', 'REFUSED_INVALID_SENDER'],
  [0x49, 'fails', 'REFUSED_INVALID_SENDER'],
  [0x50, 'fails', 'REFUSED_INVALID_DESTINATION'],
  [0x51, 'fails', 'REFUSED_INVALID_DESTINATION'],
  [0x53, 'fails', 'REFUSED_BY_CARRIER'],
  [0x54, 'fails', 'REFUSED_BY_CARRIER'],
  [0x55, 'fails', 'REFUSED_BY_CARRIER'],
  [0x58, 'stays'],
  [0x61, 'fails', 'REFUSED_INVALID_SCHEDULE'],
  [0x62, 'fails', 'REFUSED_INVALID_SCHEDULE'],
  [0x63, 'fails', 'REFUSED_BY_CARRIER'],
  [0x64, 'fails', 'TRIES_USED_UP'],
  [0x65, 'fails', 'REFUSED_BY_CARRIER'],
  [0x66, 'fails', 'REFUSED_BY_CARRIER'],
  [0x67, 'fails', 'REFUSED_BY_CARRIER'],
  [0xc0, 'fails', 'REFUSED_BY_CARRIER'],
  [0xc4, 'fails', 'REFUSED_BY_CARRIER'],
  [0xfe, 'fails', 'REFUSED_BY_CARRIER'],
  [0xff, 'fails', 'TRIES_USED_UP'],
  // A vendor's own, and an unknown one.
  [0x400, 'fails', 'TRIES_USED_UP'],
  [0x99, 'fails', 'TRIES_USED_UP'],
];

const hex = (status: number): string => status.toString(16).padStart(2, '0');
const phoneOf = (status: number): string => `63999${String(status).padStart(7, '0')}`;

test('P8: forty-six refusals have their outcome, code and text, and affect no other message', {
  timeout: patience(120_000),
}, async (t) => {
  const carrierFlags = golden.flatMap(([status]) => [
    '--carrier',
    JSON.stringify({ systemId: `s${hex(status)}`, password: 'refuses' }),
  ]);
  const world = await World.make(t, { carrierFlags, tps: 600 });
  for (const [status] of golden) await addCarrier(world, status);
  world.scene.routing = await RoutingTable.load(world.pool);
  await world.startSender();
  await world.accept(300);
  await world.scene.accept(
    golden.map(([status]) => ({
      msisdn: phoneOf(status),
      areaCode: 'PH',
      content: 'To be refused',
      pkgTotal: 1,
      carrier: `Carrier ${hex(status)}`,
    })),
  );
  for (const [status] of golden) world.accepted.add(phoneOf(status));

  const failing = golden.filter(([, fate]) => fate === 'fails');
  // A temporary refusal may take five attempts with 1, 2, 4 and 8 s between them; a refusal that ends the session fails
  // a message the third time.
  let states: Record<string, number> = {};
  await until(
    async () => {
      states = await world.states();
      return states['2/5'] === failing.length;
    },
    { timeoutMs: patience(60_000), everyMs: 200 },
  ).catch((error: unknown) => {
    throw new Error(`states are ${JSON.stringify(states)}`, { cause: error });
  });
  const words = wordsOf('en-US');
  const { rows } = await world.pool.query<{
    msisdn: string;
    send_status: number;
    deal_result: string | null;
    carrier_code: string | null;
  }>(`select msisdn, send_status, deal_result, carrier_code from message where msisdn like '63999%'`);
  const found = new Map(rows.map((row) => [row.msisdn, row]));
  for (const [status, fate, deal] of golden) {
    const row = found.get(phoneOf(status));
    assert.ok(row);
    if (fate === 'stays') {
      // It waits, or has already taken the next route, because the account was unusable.
      assert.ok([0, 3].includes(row.send_status), `0x${hex(status)} left a message in ${row.send_status}`);
      continue;
    }
    const code = `0x${hex(status).toUpperCase()}`;
    assert.deepEqual([row.send_status, row.deal_result, row.carrier_code], [2, deal, code]);
    assert.match(words(`deal.${deal}`), /^Refused/);
  }
  // The carriers recover: messages not refused permanently are sent now.
  for (const [status, fate] of golden) {
    if (fate === 'stays') await world.carriers.change({ outcomes: { delivered: 1 } }, `s${hex(status)}`);
  }
  await world.untilQuiet({ timeoutMs: patience(100_000) });
  const verdict = await world.audit();
  t.diagnostic(`${golden.length} statuses: ${failing.length} fail a message, ${golden.length - failing.length} do not`);
  assert.equal(verdict.failed, failing.length);
  assert.equal(verdict.delivered, 300 + golden.length - failing.length);
  assert.equal(verdict.extraCopies, 0);
});

async function addCarrier(world: World, status: number): Promise<void> {
  const name = hex(status);
  await world.carriers.change({ outcomes: { refused: 1, refusedStatus: status } }, `s${name}`);
  const supplierId = await buildSupplier(world.pool, {
    supplierAccount: `refuses ${name}`,
    carrier: `Carrier ${name}`,
    port: world.carriers.port,
    systemId: `s${name}`,
    password: 'refuses',
    bindCount: 1,
    windowSize: 5,
    tps: 50,
    secrets: makeSecrets(masterKey),
  });
  await buildRoute(world.pool, { routeName: `To ${name}`, supplierId, carrier: `Carrier ${name}`, priority: 10 });
}
