/** What guessing passwords costs the attacker's processor, by a script without libraries that solves the puzzles. */
import { fileURLToPath } from 'node:url';
import type { Bench } from './bench.ts';
import { runProgram } from './run-program.ts';

const program = fileURLToPath(
  new URL('../../apps/server/src/features/captcha/testing/measure-attack.ts', import.meta.url),
);

interface Measured {
  hashesPerSecond: number;
  /** Of the sliders and of the questions. */
  solvedShare: number;
  answeredShare: number;
  sliderMs: number;
  firstMs: number;
  tenthMs: number;
  lastMs: number;
  minutes: number;
  guesses: number;
  free: number;
}

export const captcha: Bench = {
  name: 'captcha',
  says: 'processor time of an attacker for guesses of passwords from one /24: hashes a second of a script, times the work that the server asks for before each puzzle, and the puzzles solved by program',
  async measure([puzzles = '30']) {
    const measured = await runProgram<Measured>(program, [puzzles]);
    const { guesses, free } = measured;
    const figure = (what: string, value: number, unit: string, goal: number | null = null) => ({
      what,
      value,
      unit,
      goal,
      higherIsBetter: true,
    });
    return {
      figures: [
        figure(`${guesses} guesses from one /24`, measured.minutes, 'CPU min', 10),
        figure('a guess on average', (measured.minutes * 60_000) / guesses, 'CPU ms'),
        { ...figure('work before the first puzzle', measured.firstMs, 'CPU ms', 200), higherIsBetter: false },
        figure('work before the tenth', measured.tenthMs, 'CPU ms'),
        figure('work before the last', measured.lastMs, 'CPU ms'),
        figure('hashes of the script', measured.hashesPerSecond, 'per CPU s'),
        figure('a slider solved by the script', measured.sliderMs, 'CPU ms'),
      ],
      remarks: [
        `The script solves ${Math.round(measured.solvedShare * 100)} % of the sliders and ${Math.round(measured.answeredShare * 100)} % of the questions; ${free} failures of a network in a day need no puzzle. Each guess is reckoned with the question, the cheaper of the two.`,
      ],
    };
  },
};
