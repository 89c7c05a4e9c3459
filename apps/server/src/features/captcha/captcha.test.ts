import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CaptchaMove, CaptchaQuestion } from '@pahatid/contract';
import { many, one, sql } from '@pahatid/db';
import { defaultPassword } from '@pahatid/db/builders';
import { isWork } from '../../http/proof-of-work.ts';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { makeTicket } from '../../http/work-ticket.ts';
import { apiFeatures } from '../../roles/api.ts';
import { usePass } from '../../sign-in/captcha-pass.ts';
import { captchaBits } from '../../sign-in/captcha-work.ts';
import { registerCaptcha } from './routes.ts';
import { dragTo, findProof, keyTo } from './testing/trails.ts';
import { readNumber } from './words.ts';

/** Work of four bits more than nothing: that it is asked for is tested, not how long it takes. */
const easy = (puzzles: number): number => captchaBits(puzzles) - 11;
const api = await makeTestApi({
  features: [
    (app, deps) => registerCaptcha(app, deps, easy),
    ...apiFeatures.filter((each) => each !== registerCaptcha),
  ],
});
const ip = '203.0.113.20';

async function work(from = ip, cookie = '') {
  const { status, body } = await api.ask(null, 'POST /captcha/work', { ip: from, headers: { cookie } });
  assert.equal(status, 200, JSON.stringify(body));
  const { bits, prefix } = body as { bits: number; prefix: string };
  return { bits, prefix, ticket: body.ticket, proof: findProof(prefix, bits) };
}
const draw = (kind: 'slider' | 'words', paid: { ticket: string; proof: string }, from = ip, cookie = '') =>
  api.ask(null, 'POST /captcha', {
    body: { kind, ticket: paid.ticket, proof: paid.proof },
    ip: from,
    headers: { cookie },
  });

async function newPuzzle(kind: 'slider' | 'words', from = ip) {
  const { status, body, headers } = await draw(kind, await work(from), from);
  assert.equal(status, 200, JSON.stringify(body));
  const cookie = String(headers['set-cookie']).split(';')[0] ?? '';
  api.advance(3_000);
  return { captcha: body, cookie };
}
/** What the server alone knows. */
const positionOf = async (captchaId: string): Promise<number> =>
  (
    await one<{ answer: { position: number } }>(
      api.db.pool,
      sql`select answer from captcha where captcha_id = ${captchaId}`,
    )
  ).answer.position;

interface Answering {
  captchaId: string;
  cookie: string;
  position?: number;
  trail?: CaptchaMove[];
  from?: string;
}
async function answer({ captchaId, cookie, from = ip, ...given }: Answering) {
  const position = given.position ?? (await positionOf(captchaId));
  const trail = given.trail ?? dragTo(position);
  const headers = { cookie };
  return api.ask(null, `POST /captcha/${captchaId}/answer`, { body: { position, trail }, headers, ip: from });
}
const use = (pass: string, cookie: string, from = ip): Promise<boolean> => {
  const [name = '', value = ''] = cookie.split('=');
  const request = { cookies: { [name]: value } } as unknown as Parameters<typeof usePass>[2]['request'];
  return usePass(api.db.pool, pass, { request, ip: from, publicUrl: api.deps.config.publicUrl, now: api.deps.now() });
};

test('S15 a puzzle solved by pointer or by keys gives a pass that opens one call of this browser and address', async () => {
  for (const trailTo of [dragTo, (position: number) => keyTo(position - (position % 2))]) {
    const { captcha, cookie } = await newPuzzle('slider');
    const trail = trailTo(await positionOf(captcha.captchaId));
    const position = trail.at(-1)?.[1] ?? 0;
    // A held key takes its time.
    api.advance(10_000);
    const { status, body } = await answer({ captchaId: captcha.captchaId, cookie, position, trail });
    assert.equal(status, 200);
    assert.equal(await use(body.pass, cookie, '203.0.113.21'), false);
    assert.equal(await use(body.pass, `pahatid-visitor=${'x'.repeat(43)}`), false);
    const uses = await Promise.all(Array.from({ length: 8 }, () => use(body.pass, cookie)));
    assert.equal(uses.filter(Boolean).length, 1);
  }
});

test('S15 the answer is not sent, and the table of passes holds hashes alone', async () => {
  const { captcha, cookie } = await newPuzzle('slider');
  const { background, piece, ...rest } = captcha;
  assert.deepEqual(Object.keys(rest).sort(), [
    'captchaId',
    'expiresIn',
    'height',
    'kind',
    'pieceSize',
    'pieceTop',
    'step',
    'width',
  ]);
  assert.match(background, /^data:image\/png;base64,/);
  assert.match(piece, /^data:image\/png;base64,/);
  const { body } = await answer({ captchaId: captcha.captchaId, cookie });
  const rows = await many<{ whole: string }>(api.db.pool, sql`select p::text as whole from captcha_pass p`);
  assert.ok(rows.length > 0 && rows.every(({ whole }) => !whole.includes(body.pass)));
});

test('S15 wrong place, no trail, another browser, another address, too late: refused alike', async () => {
  const refused = async (
    change: (made: { captchaId: string; cookie: string; position: number }) => Partial<Answering>,
  ) => {
    const { captcha, cookie } = await newPuzzle('slider');
    const position = await positionOf(captcha.captchaId);
    const made = { captchaId: captcha.captchaId, cookie, position };
    const { status, body } = await answer({ ...made, ...change(made) });
    return [status, body.code];
  };
  const failed = [403, 'CAPTCHA_FAILED'];
  assert.deepEqual(await refused(({ position }) => ({ position: position + 5, trail: dragTo(position + 5) })), failed);
  assert.deepEqual(await refused(({ position }) => ({ position: position - 5, trail: dragTo(position - 5) })), failed);
  assert.deepEqual(await refused(() => ({ trail: [] })), failed);
  assert.deepEqual(await refused(() => ({ cookie: `pahatid-visitor=${'y'.repeat(43)}` })), failed);
  assert.deepEqual(await refused(() => ({ cookie: 'a=b' })), failed);
  assert.deepEqual(await refused(() => ({ from: '203.0.113.99' })), failed);
  assert.deepEqual(
    await refused(() => {
      api.advance(118_000);
      return {};
    }),
    failed,
  );
  const unknown = await answer({ captchaId: '01890000-0000-7000-8000-000000000000', cookie: 'a=b', position: 100 });
  assert.deepEqual([unknown.status, unknown.body.code], failed);
});

test('S15 one answer per puzzle: a second is rejected even if correct, and of twenty concurrent ones one passes', async () => {
  const wrongFirst = await newPuzzle('slider');
  const captchaId = wrongFirst.captcha.captchaId;
  const position = await positionOf(captchaId);
  const wrong = await answer({ captchaId, cookie: wrongFirst.cookie, position: 8, trail: dragTo(8) });
  assert.equal(wrong.status, 403);
  assert.equal((await answer({ captchaId, cookie: wrongFirst.cookie, position })).status, 403);

  const { captcha, cookie } = await newPuzzle('slider');
  const right = await positionOf(captcha.captchaId);
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => answer({ captchaId: captcha.captchaId, cookie, position: right })),
  );
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
});

const solve = (question: CaptchaQuestion): number =>
  question.ask === 'place'
    ? question.words.indexOf(question.word) + 1
    : question.numbers[0]! + (question.ask === 'sum' ? 1 : -1) * question.numbers[1]!;

test('S15 the non-visual puzzle: the right number passes, a wrong one does not, and the right one only once', async () => {
  const say = async (given: (right: string) => string) => {
    const { captcha, cookie } = await newPuzzle('words', '198.51.100.9');
    const ask = () =>
      api.ask(null, `POST /captcha/${captcha.captchaId}/answer`, {
        body: { answer: given(String(solve(captcha.question))) },
        headers: { cookie },
        ip: '198.51.100.9',
      });
    return [await ask(), await ask()].map(({ status }) => status);
  };
  assert.deepEqual(await say((right) => right), [200, 403]);
  assert.deepEqual(await say(() => '99'), [403, 403]);
});

test('S71 no puzzle without work: forged, unworked, used, old, of another address or purpose, and of easier times', async () => {
  const from = '198.51.100.20';
  const paid = await work(from);
  const refused = async (given: { ticket: string; proof: string }, at = from) => {
    const { status, body } = await draw('words', given, at);
    return [status, body.code];
  };
  const failed = [403, 'CAPTCHA_FAILED'];
  assert.deepEqual(await refused({ ...paid, ticket: paid.ticket.replace(/\.\d+\./, '.1.') }), failed, 'altered');
  assert.deepEqual(await refused({ ...paid, ticket: 'x'.repeat(40) }), failed, 'forged');
  const unworked =
    Array.from({ length: 200 }, (_, n) => `no-${n}`).find((proof) => !isWork(paid.prefix, proof, 4)) ?? '';
  assert.deepEqual(await refused({ ticket: paid.ticket, proof: unworked }), failed, 'unworked');
  assert.deepEqual(await refused(paid, '198.51.101.20'), failed, 'another address');
  const { ticket, id, bits } = makeTicket(api.deps.secrets, 'enquiry', { ip: from, now: api.deps.now(), bits: 4 });
  assert.deepEqual(await refused({ ticket, proof: findProof(id, bits) }), failed, 'another purpose');
  assert.equal((await draw('words', paid, from)).status, 200);
  assert.deepEqual(await refused(paid), failed, 'used');
  const kept = await work(from);
  api.advance(601_000);
  assert.deepEqual(await refused(kept), failed, 'old');

  // Tickets obtained before the network had its failures cannot be hoarded as cheap ones, not even concurrently.
  const store = await Promise.all(Array.from({ length: 20 }, () => work('198.51.102.1')));
  const answers = await Promise.all(store.map((each) => draw('words', each, '198.51.102.1')));
  assert.equal(answers.filter(({ status }) => status === 200).length, 4);
});

test('S71 the work grows with the puzzles of a network, and is taken back by a right password', async () => {
  assert.deepEqual([1, 4, 5, 7, 24, 100, 1_000].map(captchaBits), [15, 15, 16, 17, 25, 25, 25]);
  const from = (n: number) => `192.0.2.${n}`;
  const bits: number[] = [];
  for (let n = 0; n < 9; n++) {
    const paid = await work(from(n));
    bits.push(paid.bits);
    await draw('words', paid, from(n));
  }
  assert.deepEqual(bits, [4, 4, 4, 4, 5, 5, 6, 6, 7]);
  assert.equal((await work('192.0.3.1')).bits, 4, 'of another network');
  const { captcha, cookie } = await newPuzzle('slider', from(50));
  const { body } = await answer({ captchaId: captcha.captchaId, cookie, from: from(50) });
  const before = (await work(from(51))).bits;
  const { account } = api.users.member;
  const entered = await api.ask(null, 'POST /session', {
    body: { account, password: defaultPassword, captcha: body.pass },
    headers: { cookie },
    ip: from(50),
  });
  assert.equal(entered.status, 200, entered.text);
  assert.ok((await work(from(51))).bits < before);
  // A browser that is known is not asked to pay for its neighbours.
  const device = /pahatid-device=[^;]+/.exec(String(entered.headers['set-cookie']))?.[0] ?? '';
  assert.equal((await work(from(52), device)).bits, 4);
  assert.ok((await work(from(52))).bits > 6);
  api.advance(24 * 3_600_000);
  assert.equal((await work(from(51))).bits, 4);
});

test('S71 tickets of an address and of a network have an end, which a known browser does not meet', async () => {
  const take = async (at: string, cookie = '') =>
    (await api.ask(null, 'POST /captcha/work', { ip: at, headers: { cookie } })).status;
  const ofAddress = await Promise.all(Array.from({ length: 62 }, () => take('192.0.4.1')));
  assert.equal(ofAddress.filter((status) => status === 200).length, 60);
  const ofNetwork: number[] = [];
  for (let n = 0; n < 610; n += 1) ofNetwork.push(await take(`192.0.5.${n % 250}`));
  assert.equal(ofNetwork.filter((status) => status === 200).length, 600);
  const { account } = api.users.viewer;
  const entered = await api.ask(null, 'POST /session', {
    body: { account, password: defaultPassword },
    ip: '192.0.6.1',
  });
  const device = /pahatid-device=[^;]+/.exec(String(entered.headers['set-cookie']))?.[0] ?? '';
  assert.equal(await take('192.0.5.1'), 429);
  assert.equal(await take('192.0.5.1', device), 200);
});

test('a number is read in the digits of any script', () => {
  for (const text of ['12', ' 12 ', '１２', '١٢', '۱۲', '१२', '๑๒']) assert.equal(readNumber(text), 12, text);
  for (const text of ['', 'twelve', '1 2', '-3', '1e1']) assert.equal(readNumber(text), null, text);
});
