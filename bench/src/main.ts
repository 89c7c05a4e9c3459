/**
 * `npm run bench -- send [count]`: measures, compares with the figures to hold and with the last ones recorded, and adds
 * the result to docs/benchmarks.md. `--dry` records nothing.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { fileURLToPath } from 'node:url';
import { ageing } from './ageing.ts';
import { archive } from './archive.ts';
import type { Bench, Figure } from './bench.ts';
import { budgets } from './budgets.ts';
import { callbacks } from './callbacks.ts';
import { captcha } from './captcha.ts';
import { checks } from './checks.ts';
import { claims } from './claims.ts';
import { codec } from './codec.ts';
import { exportBench } from './export.ts';
import { files } from './files.ts';
import { flush } from './flush.ts';
import { groups } from './groups.ts';
import { growth } from './growth.ts';
import { http } from './http.ts';
import { kannel } from './kannel.ts';
import { kannelClient } from './kannel-client.ts';
import { listener } from './listener.ts';
import { market } from './market.ts';
import { memory } from './memory.ts';
import { receipts } from './receipts.ts';
import { records } from './records.ts';
import { redirect } from './redirect.ts';
import { reports } from './reports.ts';
import { scale } from './scale.ts';
import { send } from './send.ts';
import { sendLatency } from './send-latency.ts';
import { session } from './session.ts';
import { sizes } from './sizes.ts';
import { smppServer } from './smpp-server.ts';
import { start } from './start.ts';
import { throttle } from './throttle.ts';
import { updates } from './updates.ts';
import { verify } from './verify.ts';

const benches: readonly Bench[] = [
  ageing,
  archive,
  budgets,
  callbacks,
  captcha,
  checks,
  claims,
  codec,
  exportBench,
  files,
  flush,
  groups,
  growth,
  http,
  kannel,
  listener,
  market,
  memory,
  receipts,
  records,
  redirect,
  reports,
  scale,
  send,
  sendLatency,
  session,
  sizes,
  smppServer,
  kannelClient,
  start,
  throttle,
  updates,
  verify,
];
const record = fileURLToPath(new URL('../../docs/benchmarks.md', import.meta.url));

const preface = `# Benchmarks

Figures by date, added by \`npm run bench -- <name>\`; what each measures is said by the program in \`bench/src\`.
*Ratio* compares with the figure to hold: 1.00 or more is good. *Last* compares with the entry before.
`;

const round = (value: number): string =>
  value >= 1_000 ? Math.round(value).toLocaleString('en-US') : value.toFixed(value >= 100 ? 0 : 2);

const ratioOf = ({ value, goal, higherIsBetter }: Figure): string => {
  if (goal === null) return '';
  return (higherIsBetter ? value / goal : goal / value).toFixed(2);
};

/** The values of the last entry of this bench, by what they measure. */
const lastValues = (text: string, name: string): Map<string, number> => {
  const entries = text.split(/^## /m).filter((entry) => entry.includes(`, ${name}\n`));
  const rows = entries.at(-1)?.matchAll(/^\| ([^|]+?) \| ([\d.,]+) /gm) ?? [];
  return new Map([...rows].map(([, what, value]) => [what ?? '', Number((value ?? '').replaceAll(',', ''))]));
};

const tableOf = (figures: readonly Figure[], last: ReadonlyMap<string, number>): string[] => [
  '| what | value | to hold | ratio | last |',
  '|---|---|---|---|---|',
  ...figures.map((figure) => {
    const before = last.get(figure.what);
    const change = before === undefined || before === 0 ? '' : `${((figure.value / before - 1) * 100).toFixed(0)} %`;
    const goal = figure.goal === null ? '' : round(figure.goal);
    return `| ${figure.what} | ${round(figure.value)} ${figure.unit} | ${goal} | ${ratioOf(figure)} | ${change} |`;
  }),
];

/** Returns the machine, the version measured, and the load by other work. */
const sayPlace = (): string => {
  const git = (...words: string[]): string => execFileSync('git', words, { encoding: 'utf8' }).trim();
  const changed =
    git('status', '--porcelain', '--untracked-files=no', '--', ':!docs/benchmarks.md') === '' ? '' : ', with changes';
  const cpus = os.cpus();
  const gigabytes = Math.round(os.totalmem() / 1024 ** 3);
  return `Commit ${git('rev-parse', '--short=9', 'HEAD')}${changed}. ${cpus.length} × ${cpus[0]?.model.trim() ?? 'unknown'}, ${gigabytes} GiB, ${os.type()} ${os.release()}, Node ${process.versions.node}; load before ${(os.loadavg()[0] ?? 0).toFixed(1)}.`;
};

const words = process.argv.slice(2).filter((word) => word !== '--dry');
const isDry = process.argv.includes('--dry');
const bench = benches.find(({ name }) => name === words[0]);
if (bench === undefined) {
  console.error(`usage: npm run bench -- <${benches.map(({ name }) => name).join(' | ')}> [words] [--dry]`);
  process.exit(1);
}
const text = existsSync(record) ? readFileSync(record, 'utf8') : preface;
const place = sayPlace();
const { figures, remarks } = await bench.measure(words.slice(1));
const table = tableOf(figures, lastValues(text, bench.name));
console.log([bench.says, '', ...table, '', ...remarks].join('\n'));
if (!isDry) {
  const date = new Date().toISOString().slice(0, 10);
  writeFileSync(
    record,
    `${text.trimEnd()}\n\n## ${date}, ${bench.name}\n\n${[place, '', ...table, '', ...remarks].join('\n')}\n`,
  );
}
