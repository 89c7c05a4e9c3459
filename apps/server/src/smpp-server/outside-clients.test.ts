/** Other people's clients against the open port: Kannel and Perl's Net::SMPP, where they are installed. */
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, createServer, get } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { freePort, testDatabase, until } from '@pahatid/testkit';
import { Scene } from '../sending/testing/scene.ts';
import { password, SmppWorld, sender } from './testing/smpp-world.ts';

const count = process.env['PAHATID_SOAK'] === undefined ? 50 : 10_000;
const folder = mkdtempSync(path.join(os.tmpdir(), 'pahatid-outside-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const hasPerl = spawnSync('perl', ['-MNet::SMPP', '-e', '1']).status === 0;
const kannel = ['/usr/sbin/bearerbox', '/usr/sbin/smsbox'];
const hasKannel = kannel.every((file) => existsSync(file));
const isNeeded = hasPerl || hasKannel;

const db = await testDatabase({ max: 20 });
const scene = await Scene.build({ pool: db.pool });
const world = new SmppWorld(scene);
db.beforeClose(async () => {
  await world.close();
  await scene.close();
});
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

const group = (name: string, values: Record<string, string | number>): string =>
  [`group = ${name}`, ...Object.entries(values).map(([key, value]) => `${key} = ${value}`), ''].join('\n');

async function startKannel(appId: string): Promise<{ sendPort: number; stop(): Promise<void> }> {
  const ports = { admin: await freePort(), boxes: await freePort(), send: await freePort() };
  const file = path.join(folder, 'kannel.conf');
  const account = {
    smsc: 'smpp',
    'smsc-id': 'pahatid',
    host: '127.0.0.1',
    port: world.port,
    'transceiver-mode': 'true',
    'smsc-username': appId,
    'smsc-password': password,
    'system-type': '""',
    'max-pending-submits': 50,
  };
  writeFileSync(
    file,
    [
      group('core', {
        'admin-port': ports.admin,
        'admin-password': 'x',
        'status-password': 'x',
        'smsbox-port': ports.boxes,
        'box-allow-ip': '127.0.0.1',
        'log-file': path.join(folder, 'bearerbox.log'),
        'log-level': 1,
        'dlr-storage': 'internal',
      }),
      group('smsc', account),
      group('smsc', account),
      group('smsbox', {
        'bearerbox-host': '127.0.0.1',
        'sendsms-port': ports.send,
        'log-file': path.join(folder, 'smsbox.log'),
      }),
      group('sendsms-user', { username: 'x', password: 'x', 'max-messages': 10, concatenation: 'true' }),
      group('sms-service', { keyword: 'default', text: '""', 'max-messages': 0 }),
    ].join('\n'),
  );
  const boxes: ChildProcess[] = [];
  const run = async (program: string) => {
    const box = spawn(program, ['-v', '4', file], { stdio: 'ignore', cwd: folder });
    boxes.push(box);
    await once(box, 'spawn');
  };
  await run(kannel[0]!);
  const online = async () =>
    (await (await fetch(`http://127.0.0.1:${ports.admin}/status.xml?password=x`)).text()).match(/<status>online/g)
      ?.length;
  await until(async () => (await online()) === 2, { what: 'the binds of Kannel' });
  await run(kannel[1]!);
  const isUp = async () => (await fetch(`http://127.0.0.1:${ports.send}/cgi-bin/sendsms`)).status > 0;
  await until(isUp, { what: 'smsbox' });
  return {
    sendPort: ports.send,
    async stop() {
      for (const box of boxes.toReversed()) {
        const exited = once(box, 'exit');
        box.kill('SIGKILL');
        await exited;
      }
    },
  };
}

const request = (agent: Agent, url: string): Promise<number> =>
  new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
    }).once('error', reject);
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
  const client = await startKannel(appId);
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  try {
    let next = 0;
    const sendOn = async (): Promise<void> => {
      while (next < count) {
        const n = next++;
        const url = new URL(`http://127.0.0.1:${client.sendPort}/cgi-bin/sendsms`);
        url.search = new URLSearchParams({
          username: 'x',
          password: 'x',
          from: sender,
          to: `63918${String(n).padStart(7, '0')}`,
          text: `Message ${n}. Your order is ready.`,
          // Delivered, and not delivered.
          'dlr-mask': '3',
          'dlr-url': `http://127.0.0.1:${port}/receipt?id=${n}&status=%d`,
        }).toString();
        assert.equal(await request(agent, url.href), 202);
      }
    };
    await Promise.all(Array.from({ length: 16 }, sendOn));
    await until(() => reports.size === count, { timeoutMs: 600_000, what: 'the receipts' });
    assert.deepEqual([...new Set([...reports.values()].map((each) => each.join()))], ['1']);
    await until(async () => (await db.pool.query('select from smpp_delivery')).rowCount === 0);
    await assertOnce(appId);
  } finally {
    agent.destroy();
    await client.stop();
    server.close();
    server.closeAllConnections();
  }
});
