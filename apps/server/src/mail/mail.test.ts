import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { listMailTo, one, sql, withTransaction } from '@pahatid/db';
import { testDatabase, until } from '@pahatid/testkit';
import { pino } from 'pino';
import { SMTPServer } from 'smtp-server';
import { makeMailer } from './mailer.ts';
import { sendDueMail } from './send-due-mail.ts';
import { sendMail } from './send-mail.ts';

interface Received {
  from: string;
  to: string[];
  text: string;
}

/** The server's response to the next mails; undefined: accepts them. */
let refuse: { responseCode: number } | undefined;
const received: Received[] = [];
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onRcptTo: (_address, _session, done) => {
    done(refuse === undefined ? null : Object.assign(new Error('not now'), refuse));
  },
  onData: (stream, { envelope }, done) => {
    const parts: Buffer[] = [];
    stream.on('data', (part: Buffer) => parts.push(part));
    stream.on('end', () => {
      const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
      received.push({ from, to: envelope.rcptTo.map(({ address }) => address), text: Buffer.concat(parts).toString() });
      done();
    });
  },
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.server.address() as AddressInfo;
const mailer = makeMailer(`smtp://127.0.0.1:${port}`, 'Pahatid <no-reply@pahatid.test>');
after(async () => {
  mailer.close();
  await new Promise<void>((resolve) => server.close(resolve));
});

const { pool } = await testDatabase();
const lines: string[] = [];
const log = pino({}, { write: (line) => lines.push(line) });
const at = (offsetMs: number) => ({ pool, log, owner: 'test', offsetMs });
const stateOf = (mailId: string) =>
  one<{ state: number; tries: number; body: string }>(
    pool,
    sql`select state, tries, body_text as body from mail where mail_id = ${mailId}`,
  );

test('mail is sent over SMTP once, with both bodies, and its content is not retained', async () => {
  const mailId = await sendMail(pool, {
    to: 'Ana@Pahatid.test',
    subject: '验证码',
    text: 'Your code is 123456.',
    html: '<p>Your code is <b>123456</b>.</p>',
  });
  assert.equal(await sendDueMail(at(0), mailer), true);
  assert.equal(await sendDueMail(at(0), mailer), false);
  await until(() => received.length > 0);
  assert.equal(received.length, 1);
  const [{ from, to, text } = { from: '', to: [], text: '' }] = received;
  assert.deepEqual([from, to], ['no-reply@pahatid.test', ['ana@pahatid.test']]);
  assert.match(text, /^Subject: =\?UTF-8\?/im);
  assert.match(text, new RegExp(`^Message-ID: <${mailId}@pahatid.test>`, 'im'));
  assert.match(text, /multipart\/alternative/);
  assert.match(text, /Your code is 123456\./);
  assert.deepEqual({ ...(await stateOf(mailId)) }, { state: 1, tries: 1, body: '' });
});

test('mail of a transaction that does not commit never exists', async () => {
  const failing = withTransaction(pool, async (tx) => {
    await sendMail(tx, { to: 'gone@pahatid.test', subject: 'x', text: 'x' });
    throw new Error('changed my mind');
  });
  await assert.rejects(failing, /changed my mind/);
  assert.deepEqual(await listMailTo(pool, 'gone@pahatid.test', 10), []);
});

test('no name in a subject or an address becomes a header or a second recipient', async () => {
  received.length = 0;
  await sendMail(pool, { to: 'b@pahatid.test', subject: 'Hi\r\nBcc: thief@pahatid.test', text: 'x' });
  await sendDueMail(at(0), mailer);
  assert.deepEqual(received[0]?.to, ['b@pahatid.test']);
  assert.doesNotMatch(received[0]?.text ?? '', /^Bcc:/im);
  for (const to of ['a@b.ph, c@d.ph', 'a@b.ph\r\nBcc: c@d.ph', '<a@b.ph>'])
    await assert.rejects(sendMail(pool, { to, subject: 'x', text: 'x' }), TypeError);
});

test('a server that is busy is asked again, later each time, and the mail is given up in the end with one line', async () => {
  refuse = { responseCode: 451 };
  const mailId = await sendMail(pool, { to: 'c@pahatid.test', subject: 'x', text: 'code 654321' });
  let offsetMs = 0;
  const waits: number[] = [];
  for (let last = 0; (await stateOf(mailId)).state === 0; offsetMs += 5_000) {
    assert.ok(offsetMs < 24 * 3_600_000, 'never given up');
    if (await sendDueMail(at(offsetMs), mailer)) {
      waits.push((offsetMs - last) / 1000);
      last = offsetMs;
    }
  }
  refuse = undefined;
  assert.equal(waits.length, 8);
  assert.deepEqual(
    waits,
    waits.toSorted((a, b) => a - b),
  );
  assert.deepEqual({ ...(await stateOf(mailId)) }, { state: 2, tries: 8, body: '' });
  const told = lines.filter((line) => line.includes(mailId) && line.includes('no more retries'));
  assert.equal(told.length, 1);
  assert.ok(!lines.some((line) => line.includes('654321') || line.includes('c@pahatid.test')));
});

test('a rejected recipient is dropped immediately', async () => {
  refuse = { responseCode: 550 };
  const mailId = await sendMail(pool, { to: 'd@pahatid.test', subject: 'x', text: 'x' });
  await sendDueMail(at(0), mailer);
  refuse = undefined;
  assert.equal((await stateOf(mailId)).state, 2);
});

test('an unreachable server loses nothing, and what is too late is not sent any more', async () => {
  const away = makeMailer('smtp://127.0.0.1:1', 'x@pahatid.test');
  const kept = await sendMail(pool, { to: 'e@pahatid.test', subject: 'x', text: 'x' });
  const late = await sendMail(pool, { to: 'e@pahatid.test', subject: 'x', text: 'x', lifetimeMs: 60_000 });
  await sendDueMail(at(0), away);
  await sendDueMail(at(0), away);
  away.close();
  assert.deepEqual([(await stateOf(kept)).state, (await stateOf(late)).state], [0, 0]);
  await sendDueMail(at(120_000), mailer);
  await sendDueMail(at(120_000), mailer);
  assert.deepEqual([(await stateOf(kept)).state, (await stateOf(late)).state], [1, 2]);
});

test('several processes send each mail once', async () => {
  received.length = 0;
  for (let n = 0; n < 20; n += 1) await sendMail(pool, { to: `many-${n}@pahatid.test`, subject: 'x', text: 'x' });
  const drain = async () => {
    while (await sendDueMail(at(0), mailer));
  };
  await Promise.all([drain(), drain(), drain()]);
  assert.equal(new Set(received.map(({ to }) => to[0])).size, 20);
  assert.equal(received.length, 20);
});
