/** Other people's clients against the open port: Kannel and Perl's Net::SMPP, where they are installed. */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { until } from '@pahatid/testkit';
import { hasKannel, startKannel } from './testing/kannel-client.ts';
import { makeSmppWorld, password, sender } from './testing/smpp-world.ts';

const count = process.env['PAHATID_SOAK'] === undefined ? 50 : 10_000;
const folder = mkdtempSync(path.join(os.tmpdir(), 'pahatid-outside-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const hasPerl = spawnSync('perl', ['-MNet::SMPP', '-e', '1']).status === 0;
const isNeeded = hasPerl || hasKannel;

const { db, scene, world } = await makeSmppWorld();
if (isNeeded) {
  await world.startServer();
  await scene.startSender();
}

/** Each message once, delivered, and nothing left to deliver to the client. */
async function assertOnce(appId: string): Promise<void> {
  const { rows } = await db.pool.query<{ total: number; numbers: number; delivered: number; waiting: number }>(
    `select count(*)::int as total, count(distinct msisdn)::int as numbers,
       count(*) filter (where client_status = 2)::int as delivered,
       (select count(*)::int from smpp_delivery where app_id = $1) as waiting
     from message where app_id = $1`,
    [appId],
  );
  assert.deepEqual(rows, [{ total: count, numbers: count, delivered: count, waiting: 0 }]);
}

const perlProgram = `use Net::SMPP; use strict;
my ($port, $id, $password, $sender, $n) = @ARGV;
my $smpp = Net::SMPP->new_transceiver('127.0.0.1', port => $port, system_id => $id, password => $password) or die "bind: $!";
my (%sent, %got, $twice);
$twice = 0;
sub take {
  my ($pdu) = @_;
  if ($pdu->{cmd} == 0x15) { $smpp->enquire_link_resp(seq => $pdu->{seq}); return; }
  $pdu->{short_message} =~ /^id:(\\d+) sub:001 dlvrd:001 submit date:\\d{10} done date:\\d{10} stat:(\\w+) / or die $pdu->{short_message};
  $twice++ if $got{$1}; $got{$1} = $2;
  $smpp->deliver_sm_resp(seq => $pdu->{seq}, message_id => '');
}
for my $i (1 .. $n) {
  my $seq = $smpp->submit_sm(source_addr_ton => 5, source_addr => $sender, dest_addr_ton => 1, async => 1,
    destination_addr => sprintf('63917%07d', $i), registered_delivery => 1, short_message => "Message $i");
  my $pdu;
  while ($pdu = $smpp->read_pdu or die 'read') { last if $pdu->{cmd} == 0x80000004; take($pdu); }
  die "status $pdu->{status}" if $pdu->{status};
  $sent{$pdu->{message_id}} = 1;
}
while (keys %got < $n) { my $pdu = $smpp->read_pdu or die 'read'; take($pdu); }
my $unknown = grep { !$sent{$_} } keys %got;
my $ends = $smpp->unbind;
print join(' ', scalar(keys %sent), scalar(keys %got), $unknown, $twice, $ends->{status}), "\\n";
`;

test(`D21 Net::SMPP sends ${count} messages and gets their receipts: none is lost, none comes twice`, {
  skip: hasPerl ? false : 'Net::SMPP is not installed (libnet-smpp-perl)',
}, async () => {
  const { appId } = await world.addApplication();
  const file = path.join(folder, 'client.pl');
  writeFileSync(file, perlProgram);
  const words = [file, String(world.port), appId, password, sender, String(count)];
  const { stdout } = await promisify(execFile)('perl', words);
  assert.equal(stdout.trim(), `${count} ${count} 0 0 0`);
  await until(async () => (await db.pool.query('select from smpp_delivery')).rowCount === 0);
  await assertOnce(appId);
});

test(`D21 P23 Kannel sends ${count} messages over two binds and reports each receipt: none is lost, none comes twice`, {
  skip: hasKannel ? false : 'Kannel is not installed (kannel)',
}, async () => {
  const { appId } = await world.addApplication();
  const reports = new Map<string, string[]>();
  const server = createServer((asked, response) => {
    response.end('ok');
    const { searchParams } = new URL(asked.url ?? '/', 'http://localhost');
    const id = searchParams.get('id') ?? '';
    reports.set(id, [...(reports.get(id) ?? []), searchParams.get('status') ?? '']);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const client = await startKannel({ folder, port: world.port, systemId: appId, password, window: 50 });
  try {
    await client.send(count, (n) => ({
      from: sender,
      to: `63918${String(n).padStart(7, '0')}`,
      text: `Message ${n}. Your order is ready.`,
      // Delivered, and not delivered.
      'dlr-mask': '3',
      'dlr-url': `http://127.0.0.1:${port}/receipt?id=${n}&status=%d`,
    }));
    await until(() => reports.size === count, { timeoutMs: 600_000, what: 'the receipts' });
    assert.deepEqual([...new Set([...reports.values()].map((each) => each.join()))], ['1']);
    await until(async () => (await db.pool.query('select from smpp_delivery')).rowCount === 0);
    await assertOnce(appId);
  } finally {
    await client.stop();
    server.close();
    server.closeAllConnections();
  }
});

test('P23 Kannel is killed while it sends: what was accepted is sent once, and the next bind gets its receipts', {
  skip: hasKannel ? false : 'Kannel is not installed (kannel)',
}, async () => {
  const { appId } = await world.addApplication({ maxConnectNum: 2 });
  const client = await startKannel({ folder, port: world.port, systemId: appId, password, window: 50 });
  const counted = async (): Promise<{ total: number; numbers: number; delivered: number; waiting: number }> => {
    const { rows } = await db.pool.query(
      `select count(*)::int as total, count(distinct msisdn)::int as numbers,
         count(*) filter (where client_status = 2)::int as delivered,
         (select count(*)::int from smpp_delivery where app_id = $1) as waiting
       from message where app_id = $1`,
      [appId],
    );
    return rows[0];
  };
  const sending = client
    .send(20_000, (n) => ({
      from: sender,
      to: `63919${String(n).padStart(7, '0')}`,
      text: `Message ${n}`,
      'dlr-mask': '3',
    }))
    // Its HTTP port goes with it.
    .catch(() => undefined);
  await until(async () => (await counted()).total >= 50, { what: 'messages of Kannel' });
  await client.stop();
  await sending;
  await until(async () => {
    const { total, delivered } = await counted();
    return total === delivered;
  });
  const { total, numbers, waiting } = await counted();
  assert.equal(numbers, total, 'none is there twice');
  assert.ok(total < 20_000 && waiting > 0, `${total} accepted, ${waiting} receipts wait`);
  // Both binds are free again.
  await world.bind(appId, { mode: 'transmitter' });
  const receiver = await world.bind(appId, { mode: 'receiver' });
  await until(async () => (await counted()).waiting === 0);
  assert.ok(receiver.delivered.length >= waiting);
});
