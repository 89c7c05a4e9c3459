/**
 * Cost of visits: bytes on the wire and time on a slow phone network, in a real browser against the whole product as a
 * user starts it. The browser is in `e2e`, which records the measurements.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Bench, Figure } from './bench.ts';

const program = fileURLToPath(new URL('../../e2e/src/measure-visits.ts', import.meta.url));
const builder = new URL('../../scripts/build-console.mjs', import.meta.url).href;
const run = promisify(execFile);
const defaultRuns = 5;

interface Paints {
  lcpMs: number;
  fcpMs: number;
  tbtMs: number;
  readyMs: number;
}
interface Bytes {
  bytes: number;
  requests: number;
}
interface Measured {
  publicPages: (Bytes & { path: string })[];
  signIn: Bytes;
  list: Bytes;
  statistics: Bytes;
  further: { path: string; bytes: number }[];
  publicPaints: Paints;
  signInPaints: Paints;
  listPaints: Paints;
  statisticsPaints: Paints;
  typing: { longestMs: number; longestRunMs: number; over16: number };
  scroll: { framesPerSecond: number; lateShare: number };
}

/** KB over the wire of Ant Design Pro 6.0.3, built and measured the same way on this kind of machine. */
const RIVAL = { signIn: 554, list: 817, statistics: 1010 };
const RIVAL_SHARE = 0.45;

const kb = (bytes: number): number => bytes / 1000;
const held = (what: string, value: number, unit: string, goal: number | null): Figure => ({
  what,
  value,
  unit,
  goal,
  higherIsBetter: false,
});

function largest<T extends { bytes: number }>(all: readonly T[]): T {
  const [first, ...rest] = all;
  if (first === undefined) throw new Error('nothing was measured');
  return rest.reduce((a, b) => (b.bytes > a.bytes ? b : a), first);
}

function figuresOf(measured: Measured): Figure[] {
  const { signIn, list, statistics, publicPaints, signInPaints, listPaints, statisticsPaints } = measured;
  const page = largest(measured.publicPages);
  const further = largest(measured.further);
  const ours = kb(signIn.bytes + list.bytes + statistics.bytes);
  const theirs = RIVAL.signIn + RIVAL.list + RIVAL.statistics;
  const seconds = (ms: number): number => ms / 1000;
  return [
    held('largest public page, first visit', kb(page.bytes), 'KB', 15),
    held('sign-in, first visit', kb(signIn.bytes), 'KB', 90),
    held('first list, first visit', kb(list.bytes), 'KB', 340),
    held('statistics with charts, first visit', kb(statistics.bytes), 'KB', 440),
    held('largest further screen', kb(further.bytes), 'KB', 40),
    held('of the bytes of Ant Design Pro', ours / theirs, 'times', RIVAL_SHARE),
    held('public page, largest paint, slow 4G', seconds(publicPaints.lcpMs), 's', 1),
    held('sign-in, largest paint, slow 4G', seconds(signInPaints.lcpMs), 's', null),
    held('first list, largest paint, slow 4G', seconds(listPaints.lcpMs), 's', 3.6),
    held('first list, its rows there, slow 4G', seconds(listPaints.readyMs), 's', null),
    held('first list, blocking time', seconds(listPaints.tbtMs), 's', 1.5),
    held('statistics, chart there, slow 4G', seconds(statisticsPaints.readyMs), 's', null),
    held('longest task while typing a template', measured.typing.longestMs, 'ms', 16),
    held('the same, time that it ran itself', measured.typing.longestRunMs, 'ms', 16),
    held('tasks over 16 ms while typing a template', measured.typing.over16, 'tasks', null),
    {
      what: '200 rows scrolled',
      value: measured.scroll.framesPerSecond,
      unit: 'frames/s',
      goal: 60,
      higherIsBetter: true,
    },
    held('frames later than 25 ms while scrolling', measured.scroll.lateShare, '%', null),
  ];
}

export const budgets: Bench = {
  name: 'budgets',
  says: 'Visits to the product in a real browser: bodies of html, css and script as packed on the wire; slow 4G is 1.6 Mb/s with 150 ms and a processor a quarter as fast. Medians.',
  async measure([runs = String(defaultRuns)]) {
    // Measures the current sources, not the last build.
    await run(process.execPath, ['-e', `import(${JSON.stringify(builder)}).then((module) => module.buildConsole())`]);
    const { stdout } = await run(process.execPath, [program, runs], { maxBuffer: 2 ** 24 });
    const measured = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Measured;
    const page = largest(measured.publicPages);
    const further = measured.further
      .toSorted((a, b) => b.bytes - a.bytes)
      .map(({ path, bytes }) => `${path} ${kb(bytes).toFixed(1)}`);
    return {
      figures: figuresOf(measured),
      remarks: [
        `Medians of ${runs} runs. Largest public page: ${page.path}. Requests of html, css and script: sign-in ${measured.signIn.requests}, list ${measured.list.requests}, statistics ${measured.statistics.requests}.`,
        `Further screens after the list, KB: ${further.join(', ')}.`,
        'A list at rest also fetches the select of the forms that follow; it is counted with the list.',
      ],
    };
  },
};
