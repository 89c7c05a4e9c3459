import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CaptchaMove, CaptchaQuestion } from '@pahatid/contract';
import { many, one, sql } from '@pahatid/db';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { usePass } from '../../signing-in/captcha-pass.ts';
import { registerCaptcha } from './routes.ts';
import { dragTo, findProof, keyTo } from './testing/trails.ts';
import { readNumber } from './words.ts';

const api = await makeTestApi({ features: [registerCaptcha] });
const ip = '203.0.113.20';

async function newPuzzle(kind: 'slider' | 'words', from = ip) {
  const { status, body, headers } = await api.ask(null, 'POST /captcha', { body: { kind }, ip: from });
  assert.equal(status, 200);
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
    const made = { captchaId: captcha.captchaId as string, cookie, position };
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

test('S15 one answer a puzzle: a second is refused though it is right, and of twenty at once one passes', async () => {
  const wrongFirst = await newPuzzle('slider');
  const captchaId = wrongFirst.captcha.captchaId as string;
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

test('S15 the way without sight: the right number and the work pass, either alone does not, nor twice', async () => {
  const say = async (given: (right: { answer: string; proof: string }) => { answer: string; proof: string }) => {
    const { captcha, cookie } = await newPuzzle('words', '198.51.100.9');
    const right = { answer: String(solve(captcha.question)), proof: findProof(captcha.prefix, captcha.bits) };
    const ask = () =>
      api.ask(null, `POST /captcha/${captcha.captchaId}/answer`, {
        body: given(right),
        headers: { cookie },
        ip: '198.51.100.9',
      });
    return [await ask(), await ask()].map(({ status }) => status);
  };
  assert.deepEqual(await say((right) => right), [200, 403]);
  assert.deepEqual(await say((right) => ({ ...right, answer: '99' })), [403, 403]);
  assert.deepEqual(await say((right) => ({ ...right, proof: 'none' })), [403, 403]);
});

test('S15 the work doubles with what a network takes, and puzzles of an address have an end', async () => {
  const from = '192.0.2.77';
  const bits: number[] = [];
  const statuses: number[] = [];
  for (let n = 0; n < 62; n++) {
    const { status, body } = await api.ask(null, 'POST /captcha', { body: { kind: 'words' }, ip: from });
    statuses.push(status);
    if (status === 200) bits.push(body.bits);
    else assert.equal(body.code, 'RATE_LIMITED');
  }
  assert.equal(statuses.filter((status) => status === 200).length, 60);
  assert.equal(bits[0], 17);
  assert.equal(bits.at(-1), 20);
});

test('a number is read in the digits of any script', () => {
  for (const text of ['12', ' 12 ', '１２', '١٢', '۱۲', '१२', '๑๒']) assert.equal(readNumber(text), 12, text);
  for (const text of ['', 'twelve', '1 2', '-3', '1e1']) assert.equal(readNumber(text), null, text);
});
