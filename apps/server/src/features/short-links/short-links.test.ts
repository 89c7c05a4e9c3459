import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { brotliDecompressSync } from 'node:zlib';
import { many, messageIdAt, sql, uuidV7, withTransaction } from '@pahatid/db';
import { buildBatch, buildRoute, buildSupplier, buildTemplate } from '@pahatid/db/builders';
import { insertLinkCodes } from '@pahatid/db/queries/short-links';
import { isShortCode } from '@pahatid/domain';
import { makeTestApi, type Who } from '../../http/testing/test-api.ts';
import { apiFeatures } from '../../roles/api.ts';
import { judgeClicks } from './judge-clicks.ts';

const api = await makeTestApi({ features: apiFeatures });
const { pool } = api.db;
// Which links wait for a reviewer is another test's matter.
const reviewNone = (of: typeof api) => of.db.pool.query(`update customer set link_review = 'never'`);
await reviewNone(api);
const supplierId = await buildSupplier(pool, {
  supplierAccount: 'globe-1',
  carrier: 'Globe',
  port: 1,
  systemId: 'x',
  password: 'x',
  secrets: api.deps.secrets,
});
const routeId = await buildRoute(pool, { routeName: 'Globe', supplierId });

const android =
  'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36';
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';
const plain = { linkName: 'Weekend', targetUrl: 'https://shop.example.com/offer?a=1', mode: 'shared' };

const add = async (who: Who, change: object = {}) => {
  const { status, body, text } = await api.ask(who, 'POST /short-links', { body: { ...plain, ...change } });
  assert.equal(status, 201, text);
  return body;
};
const open = async (code: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') => {
  const answer = await api.app.inject({ method, url: `/s/${code}`, headers: { 'user-agent': android, ...headers } });
  return { status: answer.statusCode, headers: answer.headers, text: answer.body };
};
const silent = { warn: () => undefined, info: () => undefined } as never;
/** The API's clock is a little ahead of the database's, and so is the judge's. */
const judge = async (offsetMs = 30_000) => {
  while (await judgeClicks({ pool, log: silent, owner: uuidV7(), offsetMs }));
};
const read = async (linkId: string) => (await api.ask('owner', `GET /short-links/${linkId}`)).body;
/** Judged by a clock ahead by so much. */
const minutes = (n: number): number => n * 60_000;

let sent = 0;
const startMs = Date.now();
/** A message with a separate code for a link, and a receipt so many milliseconds after its creation, or none. */
const sendCode = async (
  link: { linkId: string },
  code: string,
  { receiptAfterMs, msisdn = '639171234567' }: { receiptAfterMs?: number; msisdn?: string } = {},
) => {
  // A minute for each: builders insert rows of statistics without looking for those of before.
  const at = new Date(startMs - minutes(10 + sent++));
  return withTransaction(pool, async (tx) => {
    const messageId = await buildBatch(tx, {
      customerId: api.customerId,
      appId: api.appId,
      smsType: 3,
      clientSid: 'TEST1',
      at,
      supplierId,
      routeId,
      messages: [
        {
          msisdn,
          carrier: 'Globe',
          content: `go.ph/s/${code}`,
          clientStatus: receiptAfterMs === undefined ? 1 : 2,
          ...(receiptAfterMs !== undefined && { receiptAfterMs }),
        },
      ],
    });
    await insertLinkCodes(tx, [{ code, customerId: api.customerId, linkId: link.linkId, messageId }]);
    return messageId;
  });
};

test('a link is created, redirects with an uncacheable 302, and its clicks are counted in the list', async () => {
  const link = await add('member');
  assert.ok(isShortCode(link.code));
  assert.equal(link.shortUrl, `${api.deps.config.shortUrl}/s/${link.code}`);
  assert.deepEqual(
    [link.linkState, link.clickCount, link.clickRate, link.useState, link.version],
    ['active', 0, null, 1, 1],
  );
  const days = (Date.parse(link.expireTime) - api.deps.now().getTime()) / 86_400_000;
  assert.ok(Math.abs(days - 90) < 0.01, String(days));
  for (const headers of [{}, { 'user-agent': iphone }]) {
    const answer = await open(link.code, headers);
    assert.equal(answer.status, 302);
    assert.equal(answer.headers.location, plain.targetUrl);
    assert.equal(answer.headers['cache-control'], 'no-store');
    assert.equal(answer.headers['x-robots-tag'], 'noindex, nofollow');
    assert.equal(answer.headers['referrer-policy'], 'no-referrer');
    assert.equal(answer.headers['set-cookie'], undefined);
  }
  // The response follows the commit: an answered click is already stored.
  assert.equal((await many(pool, sql`select 1 from link_click where link_id = ${link.linkId}`)).length, 2);
  await judge();
  const { body } = await api.ask('viewer', 'GET /short-links', { query: { search: 'weekend' } });
  const listed = body.items.find((each: { linkId: string }) => each.linkId === link.linkId);
  assert.deepEqual([listed.clickCount, listed.humanCount, listed.robotCount, listed.recipientCount], [2, 2, 0, 0]);
  assert.ok(listed.firstClickTime <= listed.lastClickTime);
});

test('bots are distinguished from people, and HEAD works like GET', async () => {
  const link = await add('owner');
  assert.equal((await open(link.code, {}, 'HEAD')).status, 302);
  for (const headers of [
    { 'user-agent': 'WhatsApp/2.23' },
    { 'user-agent': '' },
    { 'user-agent': iphone, 'sec-purpose': 'prefetch' },
    { 'user-agent': iphone },
  ])
    assert.equal((await open(link.code, headers)).status, 302);
  await judge();
  const { clickCount, humanCount, robotCount, headCount, scannerCount } = await read(link.linkId);
  assert.deepEqual([clickCount, humanCount, robotCount, headCount, scannerCount], [5, 1, 4, 1, 3]);
});

test('dead links are reported: unknown, disabled, expired, deleted; a fallback redirects instead, uncounted', async () => {
  for (const code of ['abcd2345', 'x', 'abcd234!', '%00', 'a'.repeat(90)])
    assert.equal((await open(code)).status, 404, code);
  const link = await add('owner');
  const withFallback = await add('owner', { fallbackUrl: 'https://shop.example.com/ended' });
  for (const each of [link, withFallback])
    assert.equal(
      (await api.ask('owner', `PATCH /short-links/${each.linkId}`, { body: { version: 1, useState: 0 } })).body
        .linkState,
      'disabled',
    );
  assert.equal((await open(link.code)).status, 410);
  const gone = await open(withFallback.code);
  assert.deepEqual([gone.status, gone.headers.location], [302, 'https://shop.example.com/ended']);
  const expired = await add('owner', { expireTime: new Date(api.deps.now().getTime() + 1_000).toISOString() });
  assert.equal((await open(expired.code)).status, 302);
  const deleted = await add('owner');
  assert.equal((await api.ask('owner', `DELETE /short-links/${deleted.linkId}`)).status, 204);
  assert.equal((await open(deleted.code)).status, 410);
  assert.equal((await api.ask('owner', `GET /short-links/${deleted.linkId}`)).status, 404);
  assert.equal((await api.ask('owner', `DELETE /short-links/${deleted.linkId}`)).status, 404);
  api.advance(2_000);
  assert.equal((await open(expired.code)).status, 410);
  assert.equal((await read(expired.linkId)).linkState, 'expired');
  await judge();
  assert.equal((await read(withFallback.linkId)).clickCount, 0);
});

test('a change applies within seconds, the second of two concurrent ones is rejected, and a code never changes', async () => {
  const link = await add('owner', { mode: 'perRecipient' });
  assert.equal((await open(link.code)).headers.location, plain.targetUrl);
  const body = { version: 1, targetUrl: 'https://shop.example.com/new', linkName: 'Renamed', expiryDays: 30 };
  const [first, second] = await Promise.all([
    api.ask('owner', `PATCH /short-links/${link.linkId}`, { body }),
    api.ask('member', `PATCH /short-links/${link.linkId}`, { body: { ...body, linkName: 'Other' } }),
  ]);
  assert.deepEqual([first.status, second.status].sort(), [200, 409]);
  api.advance(3_001);
  assert.equal((await open(link.code)).headers.location, 'https://shop.example.com/new');
  const after = await read(link.linkId);
  assert.deepEqual([after.code, after.mode, after.version], [link.code, 'perRecipient', 2]);
  const { status } = await api.ask('owner', `PATCH /short-links/${link.linkId}`, {
    body: { version: 2, mode: 'shared' },
  });
  assert.equal(status, 400);
});

test('what a link may not be is refused at its field', async () => {
  const { body: foreign } = await api.ask('other', 'POST /short-links', { body: plain });
  const theirs = await buildTemplate(pool, {
    customerId: api.otherCustomerId,
    appId: api.otherAppId,
    templateName: 'X',
    smsType: 2,
    content: 'x',
    createdBy: api.users.other.userId,
  });
  const past = new Date(api.deps.now().getTime() - 1).toISOString();
  for (const [change, field, code] of [
    [{ linkName: ' ' }, 'linkName', null],
    [{ linkName: 'x'.repeat(31) }, 'linkName', null],
    [{ targetUrl: 'javascript:alert(1)' }, 'targetUrl', 'URL_SCHEME'],
    [{ targetUrl: 'http://169.254.169.254/' }, 'targetUrl', 'URL_PRIVATE_HOST'],
    [{ targetUrl: `https://e.ph/${'x'.repeat(2_000)}` }, 'targetUrl', 'URL_TOO_LONG'],
    [{ targetUrl: foreign.shortUrl }, 'targetUrl', 'URL_SHORT_LINK'],
    [{ fallbackUrl: 'http://localhost' }, 'fallbackUrl', 'URL_PRIVATE_HOST'],
    [{ mode: 'some' }, 'mode', null],
    [{ expireTime: past }, 'expireTime', 'LINK_EXPIRY_PAST'],
    [{ expireTime: '2099-01-01T00:00:00Z' }, 'expireTime', 'LINK_EXPIRY_FAR'],
    [{ expiryDays: 31 }, 'expiryDays', null],
    [{ code: 'abcd2345' }, 'code', null],
    [{ customerId: api.otherCustomerId }, 'customerId', null],
  ] as const) {
    const { status, body, text } = await api.ask('owner', 'POST /short-links', { body: { ...plain, ...change } });
    assert.equal(status, 400, `${JSON.stringify(change)}: ${text}`);
    assert.equal(body.errors[0].field, field);
    if (code !== null) assert.equal(body.errors[0].code, code);
  }
  for (const [change, code] of [
    [{ appId: api.otherAppId }, 'APP_NOT_FOUND'],
    [{ templateId: theirs }, 'TEMPLATE_NOT_FOUND'],
  ] as const) {
    const { status, body } = await api.ask('owner', 'POST /short-links', { body: { ...plain, ...change } });
    assert.deepEqual([status, body.code], [400, code]);
  }
});

test('a link whose template was deleted can still be changed by a form that sends every field', async () => {
  const templateId = await buildTemplate(pool, {
    customerId: api.customerId,
    appId: api.appId,
    templateName: 'Gone',
    smsType: 2,
    content: 'x',
    createdBy: api.users.owner.userId,
  });
  const { linkId, version } = await add('owner', { templateId, appId: api.appId });
  await pool.query(`update template set deleted_at = now() where template_id = $1`, [templateId]);
  const change = (body: object) =>
    api.ask('member', `PATCH /short-links/${linkId}`, { body: { appId: api.appId, version, ...body } });
  const renamed = await change({ linkName: 'Renamed', templateId });
  assert.deepEqual([renamed.status, renamed.body.linkName, renamed.body.templateId], [200, 'Renamed', templateId]);
  const gone = { templateId: null, version: version + 1 };
  assert.equal((await change(gone)).body.templateId, null);
  assert.equal((await change({ templateId, version: version + 2 })).body.code, 'TEMPLATE_NOT_FOUND');
});

test('a link belongs to its customer: others do not find it, viewers read, staff read with its customer', async () => {
  const link = await add('owner');
  const path = `/short-links/${link.linkId}`;
  for (const key of [`GET ${path}`, `PATCH ${path}`, `DELETE ${path}`, `GET ${path}/clicks`]) {
    const body = key.startsWith('PATCH') ? { body: { version: 1, useState: 0 } } : {};
    assert.equal((await api.ask('other', key, body)).status, 404, key);
    assert.equal((await api.ask(null, key, body)).status, 401, key);
    if (!key.startsWith('GET')) assert.equal((await api.ask('viewer', key, body)).status, 403, key);
  }
  assert.equal((await api.ask('other', 'GET /short-links/statistics', { query: { linkId: link.linkId } })).status, 404);
  const ancient = await api.ask('viewer', 'GET /short-links/statistics', { query: { to: '0001-01-01T00:00:00Z' } });
  assert.deepEqual([ancient.status, ancient.body.errors?.[0].field], [400, 'to'], ancient.text);
  assert.equal((await api.ask('viewer', 'POST /short-links', { body: plain })).status, 403);
  assert.equal((await api.ask('reviewer', 'POST /short-links', { body: plain })).status, 403);
  const { body } = await api.ask('reviewer', `GET ${path}`);
  assert.equal(typeof body.operator, 'string');
  assert.equal((await read(link.linkId)).operator, undefined);
});

test('a per-recipient code identifies the clicker: once as a recipient, masked for viewers, early clicks as bots', async () => {
  const link = await add('owner', { mode: 'perRecipient' });
  await sendCode(link, 'aaaa2222', { receiptAfterMs: 2_000, msisdn: '639171234561' });
  await sendCode(link, 'bbbb2222', { msisdn: '639171234562' });
  await open('aaaa2222');
  await open('aaaa2222', { 'user-agent': iphone });
  await open('bbbb2222');
  await judge();
  const soon = await read(link.linkId);
  assert.deepEqual([soon.clickCount, soon.humanCount, soon.recipientCount], [2, 2, 1], 'one waits for its receipt');
  await judge(minutes(5));
  assert.equal((await read(link.linkId)).clickCount, 2);
  await judge(minutes(11));
  const later = await read(link.linkId);
  assert.deepEqual([later.clickCount, later.humanCount, later.earlyCount, later.recipientCount], [3, 2, 1, 1]);
  const path = `GET /short-links/${link.linkId}/clicks`;
  const { body: owners } = await api.ask('owner', path);
  assert.deepEqual(
    owners.items.map((each: { mobileNumber: string; verdict: string; carrier: string }) => [
      each.mobileNumber,
      each.verdict,
      each.carrier,
    ]),
    [
      ['639171234562', 'early', 'Globe'],
      ['639171234561', 'human', 'Globe'],
      ['639171234561', 'human', 'Globe'],
    ],
  );
  for (const who of ['viewer', 'reviewer'] as const) {
    const { body, text } = await api.ask(who, path, { query: { by: 'human', limit: '1' } });
    assert.equal(body.items[0].mobileNumber, '63******4561');
    assert.ok(!text.includes('639171234561'));
    assert.notEqual(body.nextCursor, null);
  }
});

test('two concurrent judges count each click once', async () => {
  const link = await add('owner', { mode: 'perRecipient' });
  await sendCode(link, 'cccc2222', { receiptAfterMs: 1_000 });
  await Promise.all(Array.from({ length: 40 }, () => open('cccc2222')));
  await Promise.all([judge(), judge(), judge()]);
  await judge();
  const { clickCount, recipientCount } = await read(link.linkId);
  assert.deepEqual([clickCount, recipientCount], [40, 1]);
});

test('statistics divide clicks by time and by what is known of them, and every division adds up', async () => {
  const link = await add('owner', { mode: 'perRecipient' });
  await sendCode(link, 'dddd2222', { receiptAfterMs: 1_000 });
  for (const headers of [{}, { 'user-agent': iphone }, { 'user-agent': 'curl/8' }]) await open('dddd2222', headers);
  await open(link.code, { 'user-agent': iphone });
  await judge();
  const now = api.deps.now().getTime();
  const query = {
    linkId: link.linkId,
    zone: 'Asia/Manila',
    from: new Date(now - minutes(120)).toISOString(),
    to: new Date(now + minutes(1)).toISOString(),
  };
  for (const unit of ['0', '1', '2']) {
    const { body, status, text } = await api.ask('viewer', 'GET /short-links/statistics', {
      query: { ...query, unit },
    });
    assert.equal(status, 200, text);
    const { totals, items, parts, times } = body;
    assert.deepEqual([totals.clickCount, totals.humanCount, totals.scannerCount, totals.recipientCount], [4, 3, 1, 1]);
    const sum = (rows: { clickCount: number }[]) => rows.reduce((all, row) => all + row.clickCount, 0);
    assert.equal(sum(items), 4);
    for (const [dimension, rows] of Object.entries<{ clickCount: number }[]>(parts))
      assert.equal(sum(rows), 4, dimension);
    for (const { logDate } of items) assert.ok(times.includes(logDate));
    assert.deepEqual(
      parts.carrier.map((part: { key: string; humanCount: number }) => [part.key, part.humanCount]),
      [
        ['Globe', 2],
        ['', 1],
      ],
    );
    assert.equal(body.names[link.linkId], plain.linkName);
  }
  const csv = await api.ask('owner', 'GET /short-links/statistics', {
    query: { ...query, dimension: 'os' },
    headers: { accept: 'text/csv', 'accept-language': 'en-US' },
  });
  assert.match(csv.text, /^\ufeff"?System"?,/);
  assert.match(csv.text, /iOS/);
  const elsewhere = await api.ask('other', 'GET /short-links/statistics', { query: { unit: '1' } });
  assert.equal(elsewhere.body.totals.clickCount, 0);
});

test('a click stores nothing that identifies a person: no address, no user agent, no number', async () => {
  const link = await add('owner');
  await api.app.inject({
    method: 'GET',
    url: `/s/${link.code}?phone=639171234567`,
    remoteAddress: '203.0.113.77',
    headers: { 'user-agent': `${android} build/639171234567`, referer: 'https://secret.example.com/' },
  });
  const rows = await many(
    pool,
    sql`select row_to_json(c)::text as row from link_click c where link_id = ${link.linkId}`,
  );
  assert.equal(rows.length, 1);
  assert.doesNotMatch(JSON.stringify(rows), /639171234567|203\.0\.113|secret\.example|AppleWebKit/);
});

test('ids of messages and clicks do not meet: a cursor of another list is refused', async () => {
  const link = await add('owner');
  const { status, body } = await api.ask('owner', `GET /short-links/${link.linkId}/clicks`, {
    query: {
      cursor: Buffer.from(JSON.stringify(['short-links', String(messageIdAt(Date.now(), 0))])).toString('base64url'),
    },
  });
  assert.deepEqual([status, body.code], [400, 'CURSOR_INVALID']);
});

test('dead links show a public page in the language of the visitor, and are not indexed', async () => {
  const consoleDir = mkdtempSync(path.join(tmpdir(), 'pahatid-notices-'));
  mkdirSync(path.join(consoleDir, 'public'));
  for (const name of ['link-ended', 'link-unknown', 'link-blocked', 'link-reported'])
    for (const locale of ['zh-CN', 'en-US'])
      writeFileSync(path.join(consoleDir, 'public', `${name}.${locale}.html`), `${locale} ${name}`);
  writeFileSync(
    path.join(consoleDir, 'public', 'pages.json'),
    JSON.stringify({ pages: {}, script: ["'sha256-a'"], style: ["'sha256-b'"] }),
  );
  const site = await makeTestApi({ features: apiFeatures, consoleDir });
  await reviewNone(site);
  const read = (code: string, headers: Record<string, string>, query = '') =>
    site.app.inject({ method: 'GET', url: `/s/${code}${query}`, headers });
  const english = await read('abcd2345', { 'accept-language': 'en' });
  assert.deepEqual([english.statusCode, english.body], [404, 'en-US link-unknown']);
  assert.match(String(english.headers['content-security-policy']), /script-src 'sha256-a'; style-src 'sha256-b'/);
  assert.equal(english.headers['x-robots-tag'], 'noindex, nofollow');
  assert.equal((await read('abcd2345', { 'accept-language': 'en' }, '?lang=zh-CN')).body, 'zh-CN link-unknown');
  const { body: link } = await site.ask('owner', 'POST /short-links', { body: plain });
  assert.equal((await site.ask('owner', `DELETE /short-links/${link.linkId}`)).status, 204);
  const ended = await read(link.code, {});
  assert.deepEqual([ended.statusCode, ended.body], [410, 'zh-CN link-ended']);
  const packed = await read(link.code, { 'accept-encoding': 'gzip, br' });
  assert.equal(packed.headers['content-encoding'], 'br');
  assert.match(String(packed.headers.vary), /Accept-Encoding/);
  assert.equal(brotliDecompressSync(packed.rawPayload).toString(), 'zh-CN link-ended');
  rmSync(consoleDir, { recursive: true });
});

test('an address that clicks too often must retry later, and others are unaffected', async () => {
  const site = await makeTestApi({
    features: apiFeatures,
    config: { rates: { people: 100, application: 100, address: 2 } },
  });
  await reviewNone(site);
  const { body: link } = await site.ask('owner', 'POST /short-links', { body: plain });
  const ask = (remoteAddress: string) => site.app.inject({ method: 'GET', url: `/s/${link.code}`, remoteAddress });
  const statuses = [];
  for (let n = 0; n < 12; n++) statuses.push((await ask('203.0.113.1')).statusCode);
  assert.equal(statuses[0], 302);
  assert.equal(statuses.at(-1), 429);
  assert.equal((await ask('203.0.113.2')).statusCode, 302);
});
