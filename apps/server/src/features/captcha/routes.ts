/** Puzzles: made, answered once, exchanged for a pass that opens one call. */
import type { Captcha } from '@pahatid/contract';
import { countAttempt, insertCaptcha, takeCaptcha, type Visitor } from '@pahatid/db';
import type { FastifyInstance } from 'fastify';
import { needBrowserCookie, readBrowserCookie } from '../../http/browser-cookies.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { ProblemError, tooOften } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { isWork } from '../../proof-of-work.ts';
import { givePass } from '../../signing-in/captcha-pass.ts';
import { networkKeys } from '../../signing-in/network-keys.ts';
import { pictureHeight, pictureWidth, pieceSize, travel } from './draw-puzzle.ts';
import { isByHand, isNear, step } from './judge-trail.ts';
import { makePicturePool } from './picture-pool.ts';
import type { Theme } from './scene.ts';
import { makeWordsPuzzle, readNumber } from './words.ts';

const lifeS = 120;
const window = { windowMs: 10 * 60_000, perAddress: 60, perNetwork: 600 };

interface SliderAnswer {
  readonly position: number;
}
interface WordsAnswer {
  readonly answer: number;
  readonly prefix: string;
  readonly bits: number;
}

export function registerCaptcha(app: FastifyInstance, deps: ApiDeps): void {
  const { control } = deps.pools;
  const { publicUrl } = deps.config;
  const pool = makePicturePool(deps.signal);

  const keep = (kind: Captcha['kind'], visitor: Visitor, answer: SliderAnswer | WordsAnswer): Promise<string> => {
    const now = deps.now();
    return insertCaptcha(control, { kind, visitor, answer, now, expiresAt: new Date(now.getTime() + lifeS * 1000) });
  };

  const makeSlider = async (visitor: Visitor, theme: Theme): Promise<Captcha> => {
    const puzzle = await pool.take(theme);
    if (puzzle === null) throw new ProblemError('UNAVAILABLE', { retryAfterS: 5 });
    const captchaId = await keep('slider', visitor, { position: puzzle.position });
    return {
      captchaId,
      kind: 'slider',
      background: dataUrl(puzzle.background),
      piece: dataUrl(puzzle.piece),
      width: pictureWidth,
      height: pictureHeight,
      pieceSize,
      pieceTop: puzzle.top,
      step,
      expiresIn: lifeS,
    };
  };

  const makeWords = async (visitor: Visitor): Promise<Captcha> => {
    const asked = await countLimited('captcha.words', networkKeys(visitor.ip).network, window.perNetwork);
    const { answer, ...shown } = makeWordsPuzzle(asked);
    const captchaId = await keep('words', visitor, { answer, prefix: shown.prefix, bits: shown.bits });
    return { captchaId, kind: 'words', ...shown, expiresIn: lifeS };
  };

  const countLimited = async (what: string, key: string, limit: number): Promise<number> => {
    const now = deps.now();
    const { allowed, count, endsAt } = await countAttempt(control, {
      what,
      key,
      limit,
      windowMs: window.windowMs,
      now,
    });
    if (allowed) return count;
    throw tooOften(endsAt, now);
  };

  serve(app, 'POST /captcha', async ({ body, ip, request, reply }) => {
    await countLimited('captcha.address', networkKeys(ip).address, window.perAddress);
    const cookie = needBrowserCookie('visitor', request, publicUrl);
    const visitor = { hash: cookie.hash, ip };
    const made = body.kind === 'slider' ? await makeSlider(visitor, body.theme ?? 'light') : await makeWords(visitor);
    cookie.set(reply);
    return made;
  });

  serve(app, 'POST /captcha/:captchaId/answer', async ({ params, body, ip, request }) => {
    const now = deps.now();
    const hash = readBrowserCookie('visitor', request, publicUrl);
    if (hash === null) throw new ProblemError('CAPTCHA_FAILED');
    const visitor = { hash, ip };
    const taken = await takeCaptcha(control, params.captchaId, visitor, now);
    if (taken === null) throw new ProblemError('CAPTCHA_FAILED');
    const ageMs = now.getTime() - taken.createdAt.getTime();
    const isRight =
      'trail' in body
        ? taken.kind === 'slider' &&
          isNear(body.position, (taken.answer as SliderAnswer).position) &&
          isByHand({ ...body, ageMs, travel })
        : taken.kind === 'words' && isAnswered(taken.answer as WordsAnswer, body);
    if (!isRight) throw new ProblemError('CAPTCHA_FAILED');
    return { pass: await givePass(control, visitor, now) };
  });
}

const isAnswered = ({ answer, prefix, bits }: WordsAnswer, given: { answer: string; proof: string }): boolean =>
  readNumber(given.answer) === answer && isWork(prefix, given.proof, bits);

const dataUrl = (png: Buffer): string => `data:image/png;base64,${png.toString('base64')}`;
