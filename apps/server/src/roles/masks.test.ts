/** No mask can be guessed: every route that is narrowed by a text is walked with numbers, and every route that reads with codes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClientStatus, type Role, type RouteDefinition, routes, TaskStatus } from '@pahatid/contract';
import { insertOptOut, many, one, run, sql, uuidV7, withTransaction } from '@pahatid/db';
import { buildBatch, buildGroup } from '@pahatid/db/builders';
import { insertInbound } from '@pahatid/db/queries/inbound';
import { writeOutcomes } from '@pahatid/db/queries/messages';
import { pino } from 'pino';
import { makeCodeHider } from '../codes/hide-sent-codes.ts';
import { writeNextExport } from '../features/records/write-next-export.ts';
import { makeTaskWorld } from '../http/testing/task-world.ts';
import { type Answer, makeTestApi, type Who } from '../http/testing/test-api.ts';
import { apiFeatures } from './api.ts';

const api = await makeTestApi({ features: apiFeatures });
const { customerId, appId } = api;
const { pool } = api.db;
const all = Object.entries<RouteDefinition>(routes);
const world = await makeTaskWorld(pool, customerId, appId);

const msisdn = '639175550123';
const others = Array.from({ length: 30 }, (_, index) => `6391755${String(60_000 + index * 7).slice(1)}1`);
const code = '482913';
const letters = 'K7Q2MZ';
const texts = [`${code} is your code.`, `Your code: 482-913, or ${letters}.`];
const allMessages = [msisdn, ...others].map((each) => ({
  msisdn: each,
  content: `Hello, call +${msisdn} with 4821 937.`,
  carrier: 'Globe' as const,
  clientStatus: ClientStatus.Delivered,
  receiptAfterMs: 900,
}));
const taskId = await world.addTask({ taskStatus: TaskStatus.Completed });
const messageId = String(await world.addBatch(taskId, allMessages));
const groupId = await buildGroup(pool, {
  customerId,
  variableNames: ['name'],
  members: [msisdn, ...others].map((each) => ({ msisdn: each, variables: [`+${msisdn}`] })),
});
for (const each of [msisdn, ...others])
  await insertOptOut(pool, { customerId, msisdn: each, source: 'reply', evidence: 'T', at: new Date() });
const inboundId = uuidV7();
for (const [index, each] of [msisdn, ...others].entries())
  await insertInbound(pool, {
    customerId,
    appId,
    messageId,
    taskId,
    supplierId: uuidV7(),
    msisdn: each,
    destination: '21583',
    inboundId: index === 0 ? inboundId : uuidV7(),
    content: 'Thanks',
    receivedMs: Date.now(),
    isOptOut: false,
  });
const addCodes = (of: { taskId?: string; writer: number; at?: Date; clientStatus?: ClientStatus }) =>
  withTransaction(pool, (tx) =>
    buildBatch(tx, {
      customerId,
      appId,
      smsType: 1,
      clientSid: 'TESTSHOP',
      at: of.at ?? new Date(Date.now() - 60_000),
      supplierId: world.carriers.suppliers.Globe,
      routeId: world.carriers.routes.Globe,
      ...(of.taskId !== undefined && { taskId: of.taskId }),
      writer: of.writer,
      messages: texts.map((content) => ({
        msisdn: '639181112222',
        content,
        carrier: 'Globe',
        clientStatus: of.clientStatus ?? ClientStatus.Delivered,
        receiptAfterMs: 900,
      })),
    }),
  );
const codeId = String(await addCodes({ writer: 210 }));
await addCodes({ taskId: await world.addTask({ taskStatus: TaskStatus.Completed }), writer: 211 });
const codeReplyId = uuidV7();
await insertInbound(pool, {
  customerId,
  appId,
  messageId: codeId,
  taskId: null,
  supplierId: uuidV7(),
  msisdn: '639181112222',
  destination: '21583',
  inboundId: codeReplyId,
  content: 'What?',
  receivedMs: Date.now(),
  isOptOut: false,
});

const ids: Record<string, string> = { customerId, appId, taskId, groupId, messageId, inboundId, list: 'records' };
const nobody = '01980000-0000-7000-8000-000000000000';
const fill = (key: string, by = ids): string => key.replace(/:(\w+)/g, (_, name: string) => by[name] ?? nobody);
const mayCall = ({ access }: RouteDefinition, role: Role): boolean =>
  access === 'session' || (Array.isArray(access) && access.includes(role));

/** Query fields that accept any text: a number may be typed there. */
const textFields = ({ query }: RouteDefinition): string[] => {
  const { shape } = (query ?? {}) as { shape?: Record<string, { safeParse(value: unknown): { success: boolean } }> };
  return Object.entries(shape ?? {})
    .filter(
      ([name, schema]) =>
        name !== 'cursor' && schema.safeParse(msisdn).success && schema.safeParse('Any, “text”').success,
    )
    .map(([name]) => name);
};
const searches = all.flatMap(([key, definition]) =>
  key.startsWith('GET ') && definition.answer !== 'events'
    ? textFields(definition).map((field) => ({ key, field, definition }))
    : [],
);
const foundBy = async (who: Who, key: string, query: Record<string, string>) => {
  const { status, body, text } = await api.ask(who, fill(key), { query });
  assert.ok(status < 500, `${key} ${JSON.stringify(query)}: ${status} ${text}`);
  // Names and ids of other things in search results contain a few digits by chance.
  const items = (body?.items as { kind?: string }[] | undefined)?.filter(({ kind = 'record' }) => kind === 'record');
  return { status, found: JSON.stringify(items ?? body?.total ?? null) };
};
const wrong = (right: string): string => right.slice(0, -1) + ((Number(right.at(-1)) + 5) % 10);
const masked = ['viewer', 'reviewer', 'operator', 'admin'] as const;
const found: string[] = [];

test('S68 searching by hidden digits finds the same whether they are right or wrong, on every route that takes a text', async () => {
  for (const { key, field, definition } of searches) {
    if (!mayCall(definition, 'owner')) continue;
    // The full number of a contact that exists, and of one that does not: does the route search numbers at all?
    const [right, none] = [
      await foundBy('owner', key, { [field]: msisdn }),
      await foundBy('owner', key, { [field]: '639175551023' }),
    ];
    if (right.found !== none.found) found.push(`${key} ${field}`);
  }
  assert.deepEqual(
    found.sort(),
    [
      'GET /conversations mobileNumber',
      'GET /groups/:groupId/members mobileNumber',
      'GET /inbound mobileNumber',
      'GET /opt-outs mobileNumber',
      'GET /records phoneAddress',
      'GET /search q',
      'GET /tasks/:taskId/details mobileNumber',
    ],
    'routes that look for numbers: the walk must see each',
  );
  for (const who of masked)
    for (const { key, field, definition } of searches) {
      if (!mayCall(definition, who)) continue;
      // Names and ids of other things may contain a few digits by chance.
      const looksForNumbers = found.includes(`${key} ${field}`);
      for (let length = looksForNumbers ? 3 : 8; length < msisdn.length; length += looksForNumbers ? 1 : 3) {
        const right = msisdn.slice(0, length);
        for (const spell of [
          (digits: string) => digits,
          (digits: string) => `+${digits}`,
          (digits: string) => `0${digits.slice(2)}`,
        ]) {
          // Four digits alone are the visible end of a number.
          if (spell(right).replace(/\D/g, '').length === 4) continue;
          const [a, b] = [
            await foundBy(who, key, { [field]: spell(right) }),
            await foundBy(who, key, { [field]: spell(wrong(right)) }),
          ];
          assert.equal(a.found, b.found, `${who} ${key} ${field}=${spell(right)}`);
        }
      }
    }
});

test('S68 what the mask leaves can be searched: the first two digits and the last four', async () => {
  for (const typed of ['63******0123', '63***0123', '0123'])
    assert.equal(
      (await api.ask('viewer', 'GET /opt-outs', { query: { mobileNumber: typed } })).body.items.length,
      1,
      typed,
    );
  const { body } = await api.ask('viewer', 'GET /opt-outs', { query: { mobileNumber: '63******9999' } });
  assert.deepEqual(body.items, []);
  const shown = await api.ask('viewer', 'GET /opt-outs', { query: { limit: '1' } });
  assert.match(shown.body.items[0].mobileNumber, /^63\*{6}\d{4}$/);
});

test('S68 1,000 guesses as a viewer find nothing: whole numbers are looked up twenty times an hour, on record', async () => {
  const viewer = await api.signIn(api.users.viewer.userId);
  assert.equal(found.length, 7);
  let answered = 0;
  let hits = 0;
  const lookUp = (guess: number): Promise<Answer> => {
    const [key = '', field = ''] = (found[guess % found.length] ?? '').split(/ (?=\w+$)/);
    // All that the mask 63******0123 may be of one operator; the right one is among them.
    const number = `63917${String(guess).padStart(3, '0')}0123`;
    return api.ask(null, fill(key), { query: { [field]: number }, headers: { cookie: viewer } });
  };
  for (let guess = 0; guess < 1_000; guess += 1) {
    const { status, body } = await lookUp(guess);
    if (status === 429) continue;
    assert.equal(status, 200);
    answered += 1;
    if (body.items.length > 0) hits += 1;
  }
  const { n } = await one<{ n: number }>(
    pool,
    sql`select count(*)::int as n from audit_log where action = 'lookUp' and user_id = ${api.users.viewer.userId}`,
  );
  assert.equal(n, 20);
  assert.equal(hits, 0);
  assert.equal(answered, 20);
  // Every route that looks for numbers counts, exports too.
  for (const each of found) {
    const [key = '', field = ''] = each.split(/ (?=\w+$)/);
    assert.equal((await foundBy('viewer', key, { [field]: msisdn })).status, 429, each);
  }
  const asked = await api.ask('viewer', 'POST /exports', {
    body: { list: 'records', query: { phoneAddress: msisdn } },
  });
  assert.equal(asked.status, 429);
  const statuses = new Map<number, number>();
  for (let guess = 0; guess < 30; guess += 1) {
    const body = { mobileNumber: `63917${guess + 100}0123` };
    const { status } = await api.ask('admin', `POST /privacy/${customerId}/${guess % 2 ? 'find' : 'export'}`, { body });
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  assert.deepEqual(
    [...statuses],
    [
      [200, 20],
      [429, 10],
    ],
  );
  // Users that see full numbers have no look-up limit.
  for (let index = 0; index < 30; index += 1)
    assert.equal((await foundBy('member', 'GET /records', { phoneAddress: `6391799900${10 + index}` })).status, 200);
  const rows = await many(
    pool,
    sql<{ whole: string }>`select a::text as whole from audit_log a where action = 'lookUp'`,
  );
  assert.ok(rows.every(({ whole }) => !/639\d{9}/.test(whole)));
});

test('S68 one number is one look-up for any number of pages; the count resets after an hour', async () => {
  for (let time = 0; time < 30; time += 1)
    assert.equal((await foundBy('operator', 'GET /records', { phoneAddress: msisdn })).status, 200);
  const { n } = await one<{ n: number }>(
    pool,
    sql`select count(*)::int as n from audit_log where action = 'lookUp' and user_id = ${api.users.operator.userId}`,
  );
  assert.equal(n, 1);
});

test('S68 no cursor shows a number or can be made up from one', async () => {
  for (const key of ['GET /opt-outs', 'GET /groups/:groupId/members']) {
    const { body } = await api.ask('viewer', fill(key), { query: { limit: '2' } });
    assert.ok(body.nextCursor);
    for (const encoding of ['base64url', 'utf8'] as const)
      for (const part of String(body.nextCursor).split('.'))
        assert.ok(!/639\d{5}/.test(Buffer.from(part, encoding).toString('latin1')), key);
    const next = await api.ask('viewer', fill(key), { query: { limit: '2', cursor: body.nextCursor } });
    assert.equal(next.body.items.length, 2);
    const made = Buffer.from(JSON.stringify([key.includes('members') ? 'members' : 'optOuts', msisdn])).toString(
      'base64url',
    );
    assert.equal((await api.ask('viewer', fill(key), { query: { cursor: made } })).status, 400);
  }
});

test('S68 the order of a list says nothing of hidden digits: masked roles get none by number, in no cursor either', async () => {
  const at = new Date(Date.now() - 90_000);
  await run(pool, sql`update opt_out set created_at = ${at} where customer_id = ${customerId}`);
  const tails = [msisdn, ...others].toSorted().map((each) => each.slice(-4));
  const readAll = async (who: Who, key: string) => {
    const found: { mobileNumber: string; joinTime?: string }[] = [];
    let cursor: string | undefined;
    do {
      const { body, status, text } = await api.ask(who, fill(key), {
        query: { limit: '7', ...(cursor && { cursor }) },
      });
      assert.equal(status, 200, text);
      found.push(...body.items);
      cursor = body.nextCursor ?? undefined;
      if (cursor === undefined) break;
      const opened = Buffer.from(api.deps.secrets.open('cursor', cursor), 'base64url').toString();
      if (masked.includes(who as (typeof masked)[number])) assert.ok(!/63917/.test(opened), opened);
    } while (cursor !== undefined);
    return found;
  };
  for (const key of ['GET /groups/:groupId/members', 'GET /opt-outs']) {
    const orderOf = async (who: Who) => (await readAll(who, key)).map(({ mobileNumber }) => mobileNumber.slice(-4));
    const byNumber = await orderOf('owner');
    assert.deepEqual(key.includes('members') ? byNumber : byNumber.toReversed(), tails, key);
    const shown = await orderOf('viewer');
    assert.deepEqual(shown.toSorted(), tails.toSorted(), `${key}: each once`);
    assert.notDeepEqual(shown, byNumber, key);
    assert.deepEqual(await orderOf('viewer'), shown, `${key}: in the same order again`);
  }
  for (const { joinTime } of await readAll('viewer', 'GET /groups/:groupId/members'))
    assert.match(joinTime ?? '', /:00\.000Z$/);
  const { body } = await api.ask('viewer', fill('GET /groups/:groupId/members'), { query: { state: 'active' } });
  assert.equal(body.items.length, 0);
});

test('S68 viewers and staff read no phone and no code inside a text', async () => {
  for (const who of masked) {
    const { body } = await api.ask(who, `GET /records/${messageId}`);
    assert.equal(body.fullMessage, 'Hello, call +********0123 with *******.', who);
  }
  const { body } = await api.ask('viewer', fill('GET /groups/:groupId/members'));
  assert.equal(body.items[0].variables[0], '+********0123');
});

test('S76 a sent code is readable by no one: on every read route, in json and csv, for every caller', async () => {
  const by = { ...ids, messageId: codeId, inboundId: codeReplyId };
  const holds = (text: string): boolean => text.replaceAll(/[ -]/g, '').includes(code) || text.includes(letters);
  const read = new Set<string>();
  for (const who of [...masked, 'owner', 'member'] as const)
    for (const [key, definition] of all) {
      if (!key.startsWith('GET ') || definition.answer === 'events' || !mayCall(definition, who)) continue;
      for (const accept of definition.csv === true ? ['application/json', 'text/csv'] : ['application/json']) {
        const { text } = await api.ask(who, fill(key, by), { headers: { accept } });
        assert.ok(!holds(text), `${who} ${key} ${accept}: ${text}`);
        if (text.includes('****** is your code.')) read.add(`${key} ${accept}`);
      }
    }
  for (const key of [
    'GET /records application/json',
    'GET /records text/csv',
    'GET /records/:messageId application/json',
    'GET /inbound/:inboundId application/json',
  ])
    assert.ok(read.has(key), `${key}: the walk would notice`);
  const bySoftware = await api.ask(null, `GET /messages/${codeId}`, { headers: { authorization: api.basic.app } });
  assert.equal(bySoftware.body.fullMessage, '****** is your code.');
  const unmasked = await api.ask('reviewer', `POST /records/${codeId}/unmask`);
  assert.deepEqual(unmasked.body, { phoneAddress: '639181112222', fullMessage: '****** is your code.' });
  const held = await api.ask('owner', `POST /privacy/${customerId}/export`, { body: { mobileNumber: '639181112222' } });
  assert.ok(held.status === 200 && !holds(held.text) && held.text.includes('****** is your code.'));
  const { body } = await api.ask('owner', 'POST /exports', { body: { list: 'records', query: {} } });
  const context = { pool, log: pino({ level: 'silent' }), owner: uuidV7(), offsetMs: 0 };
  while (await writeNextExport(context, { publicUrl: 'http://localhost' }));
  const file = await api.ask('owner', `GET /exports/${body.exportId}/file`);
  assert.ok(file.status === 200 && !holds(file.text) && file.text.includes('****** is your code.'));
});

test('S76 codes leave the rows themselves ten minutes after they were sent; what may be sent again keeps its text', async () => {
  const old = new Date(Date.now() - 20 * 60_000);
  const contentOf = async (id: bigint | string) =>
    (await one<{ content: string }>(pool, sql`select content from message where message_id = ${String(id)}::bigint`))
      .content;
  const [sent, ofTask, doubtful] = [
    await addCodes({ writer: 212, at: old }),
    await addCodes({ taskId: await world.addTask({ taskStatus: TaskStatus.Completed }), writer: 213, at: old }),
    await addCodes({ writer: 214, at: old }),
  ];
  await run(
    pool,
    sql`update message set send_status = 1, client_status = 0 where message_id = ${String(doubtful)}::bigint`,
  );
  const hide = makeCodeHider();
  const context = { pool, log: pino({ level: 'silent' }), owner: 'test', offsetMs: 0 };
  // Two of the batch that is done, and the second message of the one in doubt.
  assert.equal(await hide(context), 3);
  assert.equal(await hide(context), 0);
  assert.equal(await contentOf(sent), '****** is your code.');
  assert.equal(await contentOf(sent + 1n), 'Your code: ******, or ******.');
  assert.equal(await contentOf(ofTask), texts[0], 'a retry of the task sends it again');
  assert.equal(await contentOf(doubtful), texts[0]);
  assert.equal(await contentOf(codeId), texts[0], 'limits on repeated texts still compare it');
  const missed = await writeOutcomes(pool, [
    {
      customerId,
      messageId: doubtful,
      before: { sendStatus: 1, clientStatus: 0, partsDelivered: 0 },
      after: { sendStatus: 3, clientStatus: 1 },
      dealResult: null,
      carrierCode: null,
      submittedMs: null,
      answeredMs: null,
      reportMs: null,
      partsDelivered: 0,
    },
  ]);
  assert.deepEqual(missed, []);
  assert.equal(await contentOf(doubtful), '****** is your code.');
});
