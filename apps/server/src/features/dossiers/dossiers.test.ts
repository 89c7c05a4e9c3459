/** Dossiers: from a draft to a carrier's approval and its end, who may do what, and the domains that links may have. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { many, run, sql } from '@pahatid/db';
import { buildSender } from '@pahatid/db/builders';
import { listAllowedDomains } from '@pahatid/db/queries/sender-domains';
import { makeTestApi, type Who } from '../../http/testing/test-api.ts';
import { apiFeatures } from '../../roles/api.ts';
import { followApprovals } from './follow-approvals.ts';

const api = await makeTestApi({ features: apiFeatures });
const { pool } = api.db;
const { customerId, appId } = api;
const deps = { publicUrl: 'https://console.example' };
const day = (days: number): string =>
  new Date(Date.now() + 8 * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10);
const pdf = Buffer.from('%PDF-1.7 a certificate').toString('base64');
const paper = { kind: 'registration', name: 'SEC certificate.pdf', content: pdf };

let made = 0;
/** A sender ID with an open dossier at Globe. */
const open = async () => {
  const senderId = `DOSSIER${++made}`;
  const senderKey = await buildSender(pool, { customerId, appId, senderId, auditStatus: 0 });
  const { status, body } = await api.ask('member', `POST /senders/${senderKey}/dossiers`, {
    body: { carrier: 'Globe' },
  });
  assert.equal(status, 201);
  const dossierId: string = body.dossierId;
  const act = async (who: Who, path: string, body?: object) =>
    api.ask(who, path.replace('/dossiers/', `/dossiers/${dossierId}`), body === undefined ? {} : { body });
  const must = async (who: Who, path: string, body?: object) => {
    const answer = await act(who, path, body);
    assert.ok(answer.status < 300, `${path}: ${answer.text}`);
    return answer.body;
  };
  const staff = (step: string, body?: object) =>
    must('operator', `POST /customers/${customerId}/dossiers//${step}`, body);
  return { senderId, senderKey, dossierId, act, must, staff };
};
const submitted = async () => {
  const dossier = await open();
  await dossier.must('member', 'POST /dossiers//papers', paper);
  await dossier.must('member', 'POST /dossiers//domains', { domain: 'https://www.Sarisari.ph/sale' });
  await dossier.must('owner', 'POST /dossiers//domains', { domain: 'mart.sarisari.ph' });
  await dossier.must('member', 'POST /dossiers//submit');
  return dossier;
};
const noticesOf = (key: string) =>
  many<{ kind: string }>(
    pool,
    sql`select kind from notice where user_id = ${api.users.owner.userId} and params->>'id' = ${key} order by notice_id`,
  );

test('a dossier goes from the customer to staff, to the carrier, and is approved with its domains', async () => {
  const { senderId, senderKey, must, staff } = await submitted();
  const sender = { appId, senderId };
  assert.deepEqual(await listAllowedDomains(pool, customerId, sender), [
    { carrier: 'Globe', senderKey, isAnswered: false, approvedUntil: null, isApproved: false, domains: [] },
  ]);
  const sent = await staff('send');
  assert.equal(sent.state, 'sent');
  assert.equal(sent.papers[0].state, 'checked');
  const approved = await staff('approve', { approvedUntil: day(90), allowedDomains: ['sarisari.ph'] });
  assert.deepEqual(approved.domains, [
    { domain: 'mart.sarisari.ph', state: 'refused' },
    { domain: 'sarisari.ph', state: 'allowed' },
  ]);
  assert.deepEqual(await listAllowedDomains(pool, customerId, { appId, senderId: senderId.toLowerCase() }), [
    {
      carrier: 'Globe',
      senderKey,
      isAnswered: true,
      approvedUntil: day(90),
      isApproved: true,
      domains: ['sarisari.ph'],
    },
  ]);
  const later = new Date(Date.now() + 92 * 86_400_000);
  assert.deepEqual((await listAllowedDomains(pool, customerId, sender, later))[0]?.domains, []);
  const read = await must('viewer', 'GET /dossiers/');
  assert.deepEqual(
    read.history.map(({ kind }: { kind: string }) => kind),
    ['approved', 'sent', 'submitted', 'domainAdded', 'domainAdded', 'paperAdded', 'opened'],
  );
  // Staff are not named to customers.
  assert.equal(read.history[0].by, null);
  assert.equal(read.operator, undefined);
  const { body } = await api.ask('viewer', `GET /senders/${senderKey}`);
  assert.equal(body.carriers.find((each: { carrier: string }) => each.carrier === 'Globe').auditStatus, 1);
  assert.deepEqual(await noticesOf(senderKey), [{ kind: 'dossierDecided' }]);
});

test('returned papers come back with the answer, are replaced, and submitted again while the approval still holds', async () => {
  const { senderId, senderKey, must, staff } = await submitted();
  await staff('send');
  await staff('approve', { approvedUntil: day(40), allowedDomains: ['sarisari.ph'] });
  const again = await must('member', 'POST /dossiers//submit');
  assert.deepEqual(
    again.domains.map(({ state }: { state: string }) => state),
    ['asked', 'allowed'],
  );
  await staff('send');
  const [{ paperId }] = again.papers;
  const answer = { answer: 'The letter does not name sarisari.ph.', answeredBy: 'Globe A2P desk', answerBy: day(8) };
  const returned = await staff('return', { ...answer, returnedPapers: [paperId] });
  assert.equal(returned.state, 'returned');
  const read = await must('viewer', 'GET /dossiers/');
  assert.deepEqual([read.answer, read.answeredBy, read.answerBy], [answer.answer, answer.answeredBy, answer.answerBy]);
  assert.equal(read.papers[0].state, 'returned');
  assert.equal(read.approvedUntil, day(40));
  const [allowed] = await listAllowedDomains(pool, customerId, { appId, senderId });
  assert.deepEqual(allowed?.domains, ['sarisari.ph']);
  await must('member', `DELETE /dossiers//papers/${paperId}`);
  await must('member', 'POST /dossiers//papers', { ...paper, kind: 'letter', name: 'Letter.pdf' });
  assert.equal((await must('member', 'POST /dossiers//submit')).state, 'submitted');
  assert.deepEqual(await noticesOf(senderKey), [{ kind: 'dossierDecided' }, { kind: 'dossierDecided' }]);
});

test('each step is refused in another state, and of concurrent ones one counts', async () => {
  const dossier = await open();
  const at = `POST /customers/${customerId}/dossiers/`;
  const approval = { approvedUntil: day(30), allowedDomains: [] };
  assert.equal((await dossier.act('member', 'POST /dossiers//submit')).body.code, 'DOSSIER_EMPTY');
  assert.equal((await dossier.act('admin', `${at}/send`)).body.code, 'CONFLICT');
  await dossier.must('member', 'POST /dossiers//papers', paper);
  await dossier.must('member', 'POST /dossiers//submit');
  for (const [path, body] of [
    ['POST /dossiers//papers', paper],
    ['POST /dossiers//domains', { domain: 'a.ph' }],
    ['POST /dossiers//submit', undefined],
  ] as const)
    assert.equal((await dossier.act('member', path, body)).body.code, 'CONFLICT', path);
  assert.equal((await dossier.act('admin', `${at}/approve`, approval)).body.code, 'CONFLICT');
  const both = await Promise.all([dossier.act('admin', `${at}/send`), dossier.act('operator', `${at}/send`)]);
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409]);
  const past = { ...approval, approvedUntil: day(-1) };
  assert.equal((await dossier.act('admin', `${at}/approve`, past)).body.errors[0].code, 'NOT_IN_FUTURE');
  const twice = await api.ask('member', `POST /senders/${dossier.senderKey}/dossiers`, { body: { carrier: 'Globe' } });
  assert.equal(twice.body.code, 'CONFLICT');
});

test('a paper is a PDF, PNG or JPEG by its content, and domains are domains', async () => {
  const dossier = await open();
  const asText = { ...paper, content: Buffer.from('<html>').toString('base64') };
  assert.deepEqual((await dossier.act('member', 'POST /dossiers//papers', asText)).body.errors, [
    { field: 'content', code: 'FORMAT' },
  ]);
  for (const domain of ['localhost', '127.0.0.1', 'a b'])
    assert.equal((await dossier.act('member', 'POST /dossiers//domains', { domain })).body.errors[0].field, 'domain');
  const { papers } = await dossier.must('member', 'POST /dossiers//papers', paper);
  const file = await dossier.must('owner', `GET /dossiers//papers/${papers[0].paperId}`);
  assert.deepEqual(file, { name: paper.name, type: 'application/pdf', content: pdf });
  assert.equal((await dossier.act('viewer', `GET /dossiers//papers/${papers[0].paperId}`)).status, 403);
});

test('viewers read, staff decide, and to other customers a dossier does not exist', async () => {
  const { dossierId, senderKey, act } = await submitted();
  const at = `POST /customers/${customerId}/dossiers/`;
  for (const who of ['viewer', 'operator', 'reviewer'] as const) {
    assert.equal((await act(who, 'GET /dossiers/')).status, 200, who);
    assert.equal((await act(who, 'POST /dossiers//papers', paper)).status, 403, who);
  }
  for (const who of ['owner', 'member', 'viewer'] as const) {
    assert.equal((await act(who, `${at}/send`)).status, 404, who);
    assert.equal((await api.ask(who, 'GET /dossier-queue')).status, 404, who);
  }
  assert.equal((await act('other', 'GET /dossiers/')).status, 404);
  assert.equal((await act('other', 'POST /dossiers//submit')).status, 404);
  assert.equal((await api.ask('other', `GET /senders/${senderKey}/dossiers`)).status, 404);
  const wrong = await api.ask('admin', `POST /customers/${api.otherCustomerId}/dossiers/${dossierId}/send`);
  assert.equal(wrong.status, 404);
});

test('the queue has what waits, the longest first, and pages through all of it', async () => {
  const { dossierId } = await submitted();
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const query: Record<string, string> = { limit: '1', ...(cursor !== null && { cursor }) };
    const { body } = await api.ask('reviewer', 'GET /dossier-queue', { query });
    seen.push(...body.items.map((each: { dossierId: string }) => each.dossierId));
    cursor = body.nextCursor;
  } while (cursor !== null);
  assert.equal(seen.at(-1), dossierId);
  assert.equal(new Set(seen).size, seen.length);
  const { body } = await api.ask('reviewer', 'GET /dossier-queue', {
    query: { state: 'draft', search: 'nothing like it' },
  });
  assert.deepEqual(body.items, []);
  const waiting = await api.ask('reviewer', 'GET /overview/waiting');
  assert.ok(waiting.body.dossiers >= 1);
});

test('owners are reminded 30 and 7 days before an approval ends, once each, and it expires after its day', async () => {
  const { senderKey, dossierId, must, staff } = await submitted();
  await staff('send');
  await staff('approve', { approvedUntil: day(30), allowedDomains: ['sarisari.ph'] });
  const at = async (days: number): Promise<string[]> => {
    await followApprovals({ pool, offsetMs: days * 86_400_000 }, deps);
    await followApprovals({ pool, offsetMs: days * 86_400_000 }, deps);
    return (await noticesOf(senderKey)).map(({ kind }) => kind).slice(1);
  };
  const soon = 'approvalEnds';
  assert.deepEqual(await at(-1), []);
  assert.deepEqual(await at(0), [soon]);
  assert.deepEqual(await at(22), [soon]);
  assert.deepEqual(await at(23), [soon, soon]);
  assert.deepEqual(await at(30), [soon, soon]);
  assert.equal((await must('viewer', 'GET /dossiers/')).state, 'approved');
  assert.deepEqual(await at(31), [soon, soon, soon]);
  const read = await must('viewer', 'GET /dossiers/');
  assert.deepEqual([read.state, read.history[0].kind, read.history[0].by], ['expired', 'expired', null]);
  const mails = await many<{ subject: string }>(
    pool,
    sql`select m.subject from mail m join app_user u on u.email = m.recipient
        where u.user_id = ${api.users.owner.userId} and m.subject like ${`%${read.senderId}%`}`,
  );
  assert.equal(mails.length, 4);
  assert.equal((await must('member', 'POST /dossiers//submit')).state, 'submitted');
  await run(pool, sql`delete from sender_dossier where dossier_id = ${dossierId}`);
});

test('the company details are kept by owners and members, and are their own', async () => {
  const details = {
    legalName: 'Sari-Sari Mart Inc.',
    registrationNumber: 'CS201912345',
    address: '12 Ayala Avenue\nMakati City',
    signatory: 'The Chief Executive',
    signatoryTitle: 'President',
  };
  assert.equal((await api.ask('viewer', 'PUT /company-details', { body: details })).status, 403);
  assert.equal((await api.ask('owner', 'PUT /company-details', { body: { ...details, address: '' } })).status, 400);
  assert.deepEqual((await api.ask('owner', 'PUT /company-details', { body: details })).body, { details });
  assert.deepEqual((await api.ask('viewer', 'GET /company-details')).body, { details });
  assert.deepEqual((await api.ask('other', 'GET /company-details')).body, { details: null });
});

test('the letter is a PDF that names the sender ID and its domains, in Latin letters and in Chinese', async () => {
  const dossier = await open();
  await dossier.must('member', 'POST /dossiers//domains', { domain: 'sarisari.ph' });
  await run(pool, sql`delete from company_details where customer_id = ${customerId}`);
  assert.equal((await dossier.act('owner', 'GET /dossiers//letter')).body.code, 'CONFLICT');
  const details = {
    registrationNumber: 'CS1',
    address: 'Makati',
    signatory: 'The President',
    signatoryTitle: 'President',
  };
  const put = (legalName: string) => api.ask('owner', 'PUT /company-details', { body: { ...details, legalName } });
  assert.deepEqual((await put('شركة')).body.errors, [{ field: 'legalName', code: 'CHARACTERS' }]);
  assert.equal((await put('Peñaflorida 薩利 Mart')).status, 200);
  const { name, type, content } = await dossier.must('owner', 'GET /dossiers//letter');
  assert.deepEqual([name, type], [`letter-${dossier.senderId}-Globe.pdf`, 'application/pdf']);
  const text = Buffer.from(content, 'base64').toString('latin1');
  for (const latin of ['(Pe\xf1aflorida ) Tj', `(${dossier.senderId} ) Tj`, '(sarisari.ph) Tj', '(Globe ) Tj'])
    assert.ok(text.includes(latin), latin);
  // In UTF-16, for the reader's own font.
  assert.match(text, /<85a9> Tj[\s\S]*<5229> Tj/);
  // The table names where each object begins, and the file's end where the table does.
  const table = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1]);
  assert.equal(text.slice(table, table + 4), 'xref');
  const offsets = [...text.slice(table).matchAll(/^(\d{10}) 00000 n $/gm)].map(([, offset]) => Number(offset));
  assert.equal(offsets.length, 10);
  for (const [index, offset] of offsets.entries()) assert.ok(text.startsWith(`${index + 1} 0 obj\n`, offset));
});
