/** Puzzles: worked for, made, answered once, exchanged for a pass that opens one call. */
import type { Captcha } from '@pahatid/contract';
import {
  countAttempt,
  countAttempts,
  insertCaptcha,
  readAttempt,
  refundAttempt,
  takeCaptcha,
  type Visitor,
} from '@pahatid/db';
import type { FastifyInstance } from 'fastify';
import { needBrowserCookie, readBrowserCookie } from '../../http/browser-cookies.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { networkKeys } from '../../http/network-keys.ts';
import { ProblemError, tooOften } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { makeTicket, useTicket } from '../../http/work-ticket.ts';
import { givePass } from '../../sign-in/captcha-pass.ts';
import { captchaBits, captchaMemoryMs, findWorkSource, type WorkSource } from '../../sign-in/captcha-work.ts';
import { pictureHeight, pictureWidth, pieceSize, travel } from './draw-puzzle.ts';
import { makeDrawingThread } from './drawing-thread.ts';
import { isByHand, isNear, step } from './judge-trail.ts';
import { makePicturePool } from './picture-pool.ts';
import type { Theme } from './scene.ts';
import { makeWordsPuzzle, readNumber } from './words.ts';

const lifeS = 120;
/** The longest work takes a phone some minutes. */
const workLifeS = 600;
/** Tickets in ten minutes: of an address, of a network, and of a person's known browsers. */
const tickets = { windowMs: 10 * 60_000, address: 60, network: 600, user: 60 };
const unlimited = 1_000_000;

interface SliderAnswer {
  readonly position: number;
}
interface WordsAnswer {
  readonly answer: number;
}

/** `bitsFor`: tests ask for less work. */
export function registerCaptcha(app: FastifyInstance, deps: ApiDeps, bitsFor = captchaBits): void {
  const { control } = deps.pools;
  const { publicUrl } = deps.config;
  const pool = makePicturePool(deps.signal, makeDrawingThread(deps.signal));

  const keep = (kind: Captcha['kind'], visitor: Visitor, answer: SliderAnswer | WordsAnswer): Promise<string> => {
    const now = deps.now();
    return insertCaptcha(control, { kind, visitor, answer, now, expiresAt: new Date(now.getTime() + lifeS * 1000) });
  };

  const makeSlider = async (visitor: Visitor, theme: Theme, isKnown: boolean): Promise<Captcha> => {
    const puzzle = await pool.take(theme, isKnown);
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
    const { answer, question } = makeWordsPuzzle();
    const captchaId = await keep('words', visitor, { answer });
    return { captchaId, kind: 'words', question, expiresIn: lifeS };
  };

  const countTicket = async ({ isKnown, counted }: WorkSource, ip: string, now: Date): Promise<void> => {
    const { windowMs } = tickets;
    const { address, network } = networkKeys(ip);
    const limits = isKnown
      ? [{ what: 'captcha.tickets.user', key: counted.key, limit: tickets.user, windowMs, now }]
      : [
          { what: 'captcha.tickets.address', key: address, limit: tickets.address, windowMs, now },
          { what: 'captcha.tickets.network', key: network, limit: tickets.network, windowMs, now },
        ];
    const result = await countAttempts(control, limits);
    if ('refused' in result) throw tooOften(result.endsAt, now);
  };

  serve(app, 'POST /captcha/work', async ({ ip, request }) => {
    const now = deps.now();
    const source = await findWorkSource(deps, request, ip);
    await countTicket(source, ip, now);
    const { count } = await readAttempt(control, source.counted, now);
    const { ticket, id, bits } = makeTicket(deps.secrets, 'captcha', { ip, now, bits: bitsFor(count + 1) });
    return { ticket, prefix: id, bits, expiresIn: workLifeS };
  });

  /** Counts the puzzle before it is made. A ticket of easier times does not do: else many would be taken before. */
  const payFor = async (
    given: { ticket: string; proof: string },
    ip: string,
    { counted }: WorkSource,
  ): Promise<void> => {
    const now = deps.now();
    const use = { purpose: 'captcha', given, ip, now, leastAgeMs: 0, lifeMs: workLifeS * 1000 } as const;
    const ticket = await useTicket({ secrets: deps.secrets, pool: control }, use);
    if (ticket === null) throw new ProblemError('CAPTCHA_FAILED');
    // Counted before it is checked, so that of many concurrent ones each sees those before it.
    const { count } = await countAttempt(control, { ...counted, limit: unlimited, windowMs: captchaMemoryMs, now });
    if (ticket.bits >= bitsFor(count)) return;
    await refundAttempt(control, counted);
    throw new ProblemError('CAPTCHA_FAILED');
  };

  serve(app, 'POST /captcha', async ({ body, ip, request, reply }) => {
    const source = await findWorkSource(deps, request, ip);
    await payFor(body, ip, source);
    const cookie = needBrowserCookie('visitor', request, publicUrl);
    const visitor = { hash: cookie.hash, ip };
    const made =
      body.kind === 'slider'
        ? await makeSlider(visitor, body.theme ?? 'light', source.isKnown)
        : await makeWords(visitor);
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
        : taken.kind === 'words' && readNumber(body.answer) === (taken.answer as WordsAnswer).answer;
    if (!isRight) throw new ProblemError('CAPTCHA_FAILED');
    return { pass: await givePass(control, visitor, now) };
  });
}

const dataUrl = (png: Buffer): string => `data:image/png;base64,${png.toString('base64')}`;
