/** The carrier of test mode alone, without a sender. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testNumbers } from '@pahatid/contract';
import { connectSession, MESSAGE_STATE, makePdu, type ResponsePdu, STATUS } from '@pahatid/smpp';
import { until } from '@pahatid/testkit';
import { startTestCarrier, type TestCarrier } from './test-carrier.ts';

type Cleanup = { after(run: () => Promise<void> | void): void };

const bind = async (t: Cleanup, { port, systemId, password }: TestCarrier, given = password) => {
  const answers: { status: number; messageId: string | undefined; pdu: ResponsePdu | undefined }[] = [];
  const account = { host: '127.0.0.1', port, mode: 'transceiver', system_id: systemId, password: given } as const;
  const result = await connectSession<string>(
    { ...account, window: 10 },
    {
      onResponse: (_, status, messageId, __, pdu) => answers.push({ status, messageId, pdu }),
      onUnknown: () => {},
      onDeliver: (_, respond) => respond(STATUS.ESME_ROK),
      onClose: () => {},
    },
  );
  if (!result.bound) return null;
  t.after(() => result.session.close());
  const ask = async (pdu: Parameters<typeof result.session.send>[0]) => {
    const before = answers.length;
    result.session.send(pdu, 'one');
    await until(() => answers.length > before, { what: 'an answer' });
    return answers.at(-1)!;
  };
  return { ask };
};
const submit = (destination_addr: string) =>
  makePdu('submit_sm', { source_addr: 'SARISARI', destination_addr, short_message: Buffer.from('Hi') });

test('only the process that started it can bind', async (t) => {
  const carrier = await startTestCarrier();
  t.after(() => carrier.stop());
  assert.equal(await bind(t, carrier, 'test'), null);
  assert.notEqual(await bind(t, carrier), null);
});

test('after a restart it knows the outcome of what was submitted before', async (t) => {
  const before = await startTestCarrier({ receiptMs: 60_000, lateMs: 120_000, replyMs: 1 });
  const session = await bind(t, before);
  const submitted = async (to: string) => (await session!.ask(submit(to))).messageId ?? '';
  const undelivered = await submitted(testNumbers.undelivered);
  const slow = await submitted(testNumbers.slow);
  await before.stop();
  const after = await startTestCarrier({ receiptMs: 0, lateMs: 3_600_000, replyMs: 1 });
  t.after(() => after.stop());
  const again = await bind(t, after);
  for (const [message_id, state] of [
    [undelivered, MESSAGE_STATE.UNDELIVERABLE],
    [slow, MESSAGE_STATE.ENROUTE],
  ] as const)
    assert.partialDeepStrictEqual(
      (await again!.ask(makePdu('query_sm', { message_id, source_addr: 'SARISARI' }))).pdu,
      {
        message_id,
        message_state: state,
      },
    );
  const unknown = await again!.ask(makePdu('query_sm', { message_id: '9-9', source_addr: 'SARISARI' }));
  assert.equal(unknown.status, STATUS.ESME_RQUERYFAIL);
});

test('throttled is refused once and taken when it comes again, refused always', async (t) => {
  const carrier = await startTestCarrier();
  t.after(() => carrier.stop());
  const session = await bind(t, carrier);
  const statuses: number[] = [];
  for (const to of [testNumbers.throttled, testNumbers.throttled, testNumbers.throttled, testNumbers.refused])
    statuses.push((await session!.ask(submit(to))).status);
  const { ESME_ROK, ESME_RTHROTTLED, ESME_RINVDSTADR } = STATUS;
  assert.deepEqual(statuses, [ESME_RTHROTTLED, ESME_ROK, ESME_RTHROTTLED, ESME_RINVDSTADR]);
});
