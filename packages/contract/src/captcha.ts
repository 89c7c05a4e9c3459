import { z } from 'zod';
import { route } from './route.ts';
import { uuid } from './shapes.ts';

/** One move of the slider: milliseconds since the puzzle was shown, its position, and whether by a key. */
const move = z.tuple([z.number().int().min(0).max(600_000), z.number().int().min(0).max(2_000), z.boolean()]);
export type CaptchaMove = z.output<typeof move>;

const slider = z.object({
  captchaId: uuid,
  kind: z.literal('slider'),
  /** PNG as a `data:` address, at twice its size in units. */
  background: z.string(),
  piece: z.string(),
  /** In units, which are CSS pixels at full size. */
  width: z.int(),
  height: z.int(),
  pieceSize: z.int(),
  /** From the picture's upper edge to the piece's; only the distance from the start is asked for. */
  pieceTop: z.int(),
  /** The slider moves by so many units. */
  step: z.int(),
  expiresIn: z.int(),
});

/** Shown in the viewer's language; the answer is a number. */
const question = z.discriminatedUnion('ask', [
  z.object({ ask: z.enum(['sum', 'difference']), numbers: z.array(z.int()).length(2) }),
  z.object({ ask: z.literal('place'), words: z.array(z.string()), word: z.string() }),
]);
export type CaptchaQuestion = z.output<typeof question>;

const words = z.object({
  captchaId: uuid,
  kind: z.literal('words'),
  question,
  expiresIn: z.int(),
});

const captcha = z.discriminatedUnion('kind', [slider, words]);
export type Captcha = z.output<typeof captcha>;
export type SliderCaptcha = z.output<typeof slider>;
export type WordsCaptcha = z.output<typeof words>;

/** Words that a `place` question may contain; the console has each in its language. */
export const captchaWords = [
  'mango',
  'rice',
  'ferry',
  'window',
  'island',
  'drum',
  'kite',
  'boat',
  'market',
  'rain',
  'bridge',
  'flower',
] as const;

export const captchaRoutes = {
  'POST /captcha/work': route({
    summary:
      'Before a puzzle: a ticket for one, and the work that it costs; more work where the network has many failures',
    access: 'public',
    response: z.object({
      ticket: z.string(),
      /** Proof of work: a text whose SHA-256, after `prefix`, begins with so many zero bits. */
      prefix: z.string(),
      bits: z.int(),
      expiresIn: z.int(),
    }),
    errors: ['RATE_LIMITED'],
  }),
  'POST /captcha': route({
    summary: 'A puzzle that tells people from programs: a picture to slide, or a question in words',
    access: 'public',
    body: z.strictObject({
      kind: z.enum(['slider', 'words']),
      theme: z.enum(['light', 'dark']).optional(),
      ticket: z.string().min(1).max(120),
      proof: z.string().min(1).max(40),
    }),
    response: captcha,
    errors: ['RATE_LIMITED', 'CAPTCHA_FAILED', 'UNAVAILABLE'],
  }),
  'POST /captcha/:captchaId/answer': route({
    summary: 'Answers a puzzle, once; gives a pass for one call',
    access: 'public',
    params: z.object({ captchaId: uuid }),
    body: z.union([
      z.strictObject({ position: z.int().min(0).max(2_000), trail: z.array(move).max(600) }),
      z.strictObject({ answer: z.string().max(20) }),
    ]),
    response: z.object({ pass: z.string() }),
    errors: ['CAPTCHA_FAILED'],
  }),
};
