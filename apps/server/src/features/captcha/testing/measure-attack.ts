/**
 * CPU cost of a password guess for an attacker: `node measure-attack.ts [puzzles]`. The work is measured in hashes a
 * second and multiplied by the server's requirement; a hundred guesses are not fully computed.
 */
import { captchaBits } from '../../../sign-in/captcha-work.ts';
import { networkFreeFailures } from '../../../sign-in/sign-in-limits.ts';
import { drawPuzzle, travel } from '../draw-puzzle.ts';
import { isNear } from '../judge-trail.ts';
import { makeWordsPuzzle } from '../words.ts';
import { search, solveQuestion, solveSlider } from './attack.ts';

const puzzles = Number(process.argv[2] ?? 30);
const guesses = 100;
const hashes = 3_000_000;

const cpuMs = (since: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
};

const prefix = 'abcdefghijklmnopqrstuv';
search(prefix, 32, 0, 200_000);
const beforeWork = process.cpuUsage();
search(prefix, 32, 0, hashes);
const hashesPerSecond = hashes / (cpuMs(beforeWork) / 1_000);

let solved = 0;
let slidersMs = 0;
for (let n = 0; n < puzzles; n++) {
  const { background, piece, position, top } = await drawPuzzle('light');
  const before = process.cpuUsage();
  if (isNear(solveSlider(background, piece, top, travel), position)) solved += 1;
  slidersMs += cpuMs(before);
}
let answered = 0;
for (let n = 0; n < puzzles; n++) {
  const { question, answer } = makeWordsPuzzle();
  if (solveQuestion(question) === answer) answered += 1;
}

/** Seconds of a processor for the work before the n-th puzzle of a network's day: 2^bits hashes on average. */
const workS = (n: number): number => 2 ** captchaBits(n) / hashesPerSecond;
const needed = guesses - networkFreeFailures;
/** With the text question, which is never wrong and needs no picture: the cheapest method. */
const cost = (from: number, to: number): number =>
  Array.from({ length: to - from + 1 }, (_, n) => workS(from + n)).reduce((sum, each) => sum + each, 0);

console.log(
  JSON.stringify({
    hashesPerSecond,
    solvedShare: solved / puzzles,
    answeredShare: answered / puzzles,
    sliderMs: slidersMs / puzzles,
    firstMs: workS(1) * 1_000,
    tenthMs: workS(10) * 1_000,
    lastMs: workS(needed) * 1_000,
    minutes: cost(1, needed) / 60,
    guesses,
    free: networkFreeFailures,
  }),
);
