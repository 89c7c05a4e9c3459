import { readFileSync } from 'node:fs';
import { CONTROL_CALLS } from './control.ts';
import { FAULTS_SAY, NO_FAULTS } from './faults.ts';
import { MALFORMED } from './malformed.ts';
import { OUTCOME_NAMES, type OutcomeMix, OVERRIDES } from './outcomes.ts';
import { type CarrierChange, DEFAULT_CARRIERS } from './profiles.ts';
import type { Span } from './random.ts';
import type { SimulatorOptions } from './simulator.ts';

const FLAGS = {
  help: { value: '', says: 'this text' },
  host: { value: 'ADDRESS', says: 'address to listen on (127.0.0.1)' },
  port: { value: 'N', says: 'SMPP port, 0 takes a free one (2776)' },
  control: { value: 'N', says: 'HTTP control port (port + 1000)' },
  seed: { value: 'N', says: 'of everything left to chance (1)' },
  outcomes: { value: 'MIX', says: 'delivered=0.97,undeliv=0.02,expired=0.005,refused:0x0b=0.005' },
  'receipt-delay': { value: 'A-B', says: 'milliseconds from submit to receipt (200-3000)' },
  latency: {
    value: 'A-B',
    says: 'milliseconds from submit to response (0); 20-80,0.01:2000 has a tail of 1 % up to 2 s',
  },
  reorder: { value: 'P', says: 'share of responses overtaken by later ones (0)' },
  tps: { value: 'N', says: 'submits a second, then ESME_RTHROTTLED (0: unlimited)' },
  window: { value: 'N', says: 'unanswered submits a bind, then ESME_RTHROTTLED (0: unlimited)' },
  'queue-limit': { value: 'N', says: 'receipts due, then ESME_RMSGQFUL (0: unlimited)' },
  'max-binds': { value: 'N', says: 'binds a carrier (50)' },
  journal: { value: 'FILE', says: 'append every submit to it, a JSON object a line' },
  'journal-limit': { value: 'N', says: 'submits kept in memory (1000000)' },
  'first-id': { value: 'N', says: 'number of the first message (from the clock)' },
  carrier: { value: 'JSON', says: 'change one by systemId, or add one; may be repeated' },
  config: { value: 'FILE', says: 'JSON: { "carriers": […], "all": {…} }' },
} as const;

type Flag = keyof typeof FLAGS;

/** Parses the command line into options, or `help`. Throws a one-line error for invalid arguments. */
export function readCommandLine(words: readonly string[]): SimulatorOptions | 'help' {
  const values = readFlags(words);
  if (values.has('help')) return 'help';
  const text = (flag: Flag) => values.get(flag)?.at(-1);
  const read = <T>(flag: Flag, how: (value: string) => T): T | undefined => {
    const value = text(flag);
    return value === undefined ? undefined : about(`--${flag} ${value}`, () => how(value));
  };
  const config = read('config', readConfig) ?? {};
  const carriers = (values.get('carrier') ?? []).map((json) => about(`--carrier ${json}`, () => readCarrier(json)));
  return withoutUndefined({
    host: text('host'),
    port: read('port', readPort),
    controlPort: read('control', readPort),
    seed: read('seed', readWhole),
    journal: text('journal'),
    journalLimit: read('journal-limit', readWhole),
    firstId: read('first-id', readWhole),
    carriers: [...(config.carriers ?? []), ...carriers],
    all: withoutUndefined({
      ...config.all,
      outcomes: read('outcomes', readMix) ?? config.all?.outcomes,
      receiptDelay: read('receipt-delay', readSpan) ?? config.all?.receiptDelay,
      latency: read('latency', readSpan) ?? config.all?.latency,
      reorder: read('reorder', readShare) ?? config.all?.reorder,
      tps: read('tps', readNumber) ?? config.all?.tps,
      window: read('window', readWhole) ?? config.all?.window,
      queueLimit: read('queue-limit', readWhole) ?? config.all?.queueLimit,
      maxBinds: read('max-binds', readWhole) ?? config.all?.maxBinds,
    }),
  });
}

/** Returns the complete `--help` text. */
export function helpText(): string {
  const flags = Object.entries(FLAGS).map(([name, { value, says }]) => row(`--${name} ${value}`.trim(), says));
  const carriers = DEFAULT_CARRIERS.map(({ systemId, password, idFormat, receipt }) =>
    row(systemId, `password ${password}; ids ${idFormat}, receipts ${receiptManner(receipt)}`),
  );
  return [
    'A carrier of its own: an SMSC that behaves, and on demand misbehaves, like real ones.',
    '',
    'npm run simulator -- [flags]',
    ...flags,
    '',
    'Carriers, chosen by system_id',
    ...carriers,
    '',
    `Outcomes of a mix: ${OUTCOME_NAMES.join(', ')}`,
    '',
    'A destination that ends in these digits has this outcome, whatever the mix',
    ...OVERRIDES.map(({ suffix, says }) => row(`…${suffix}`, says)),
    '',
    'HTTP control (JSON)',
    ...CONTROL_CALLS.flatMap(([call, does]) => [`  ${call}`, `      ${does}`]),
    '',
    'Faults and their defaults',
    ...Object.entries(FAULTS_SAY).map(([name, says]) =>
      row(`${name} ${JSON.stringify(NO_FAULTS[name as keyof typeof NO_FAULTS])}`, says),
    ),
    '',
    'A profile, to be changed in --carrier, --config and PATCH',
    ...settings(DEFAULT_CARRIERS[0]!),
    '',
    'Malformed PDUs, by name',
    ...MALFORMED.map(({ name, says }) => row(name, says)),
    '',
    'More, with examples: docs/simulator.md',
    '',
  ].join('\n');
}

function receiptManner(receipt: (typeof DEFAULT_CARRIERS)[number]['receipt']): string {
  const tlvs = receipt.tlvs.length === 0 ? 'no TLVs' : 'TLVs';
  if (receipt.text === 'short') return `"<id> <state>" with ${tlvs}`;
  const id = receipt.textId === 'same' ? '' : ` with ${receipt.textId} ids`;
  return `of Appendix B${id}, dates ${receipt.dateFormat}, ${tlvs}`;
}

function settings(values: object): string[] {
  return JSON.stringify(values, null, 2)
    .replace(/\[[^[\]{}]*\]/g, (list) => list.replace(/\s+/g, ' '))
    .split('\n')
    .slice(1, -1);
}

function row(left: string, right: string): string {
  return `  ${left.padEnd(26)}${right}`;
}

/** The values of each flag that was given; `--flag value` and `--flag=value` are the same. */
function readFlags(words: readonly string[]): Map<Flag, string[]> {
  const values = new Map<Flag, string[]>();
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    const [, name, joined] = /^--([a-z-]+)(?:=(.*))?$/s.exec(word) ?? [];
    const flag = (Object.keys(FLAGS) as Flag[]).find((known) => known === name || (word === '-h' && known === 'help'));
    if (flag === undefined) throw new Error(`no such flag: ${word}; --help lists them`);
    const value = flag === 'help' ? '' : (joined ?? words[++at]);
    if (value === undefined) throw new Error(`--${flag} needs ${FLAGS[flag].value}`);
    values.set(flag, [...(values.get(flag) ?? []), value]);
  }
  return values;
}

function about<T>(what: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw new Error(`${what}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

function readNumber(value: string): number {
  const number = Number(value);
  if (value.trim() === '' || !Number.isFinite(number) || number < 0) throw new Error('must be a number from 0 up');
  return number;
}

function readWhole(value: string): number {
  if (!/^\d{1,15}$/.test(value)) throw new Error('must be a whole number');
  return Number(value);
}

function readPort(value: string): number {
  const port = readWhole(value);
  if (port > 65_535) throw new Error('must be a port, 0 to 65535');
  return port;
}

function readShare(value: string): number {
  const share = readNumber(value);
  if (share > 1) throw new Error('must be a share from 0 to 1');
  return share;
}

/** `200-3000`, or one number for both; `,0.01:5000` behind it lets a share take up to so long. */
function readSpan(value: string): Span {
  const match = /^(\d+)(?:-(\d+))?(?:,([\d.]+):(\d+))?$/.exec(value);
  if (match === null) throw new Error('must be milliseconds such as 200-3000 or 20-80,0.01:2000');
  const [fromMs, toMs] = [Number(match[1]), Number(match[2] ?? match[1])];
  if (fromMs > toMs) throw new Error('must begin with the smaller number');
  if (match[3] === undefined) return { fromMs, toMs };
  return { fromMs, toMs, tailShare: readShare(match[3]), tailMs: Number(match[4]) };
}

/** `delivered=0.9,refused:0x0b=0.1` */
function readMix(value: string): OutcomeMix {
  const mix: Record<string, number> = {};
  for (const entry of value.split(',')) {
    const match = /^([a-z]+)(?::(0x[0-9a-f]+|\d+))?=([\d.]+)$/i.exec(entry.trim());
    const name = OUTCOME_NAMES.find((known) => known === match?.[1]);
    if (match === null || name === undefined) {
      throw new Error(`"${entry}" is no outcome such as delivered=0.97 or refused:0x0b=0.01`);
    }
    mix[name] = Number(match[3]);
    if (match[2] !== undefined) mix['refusedStatus'] = Number(match[2]);
  }
  return mix;
}

function readCarrier(json: string): CarrierChange {
  const change: unknown = JSON.parse(json);
  if (typeof change !== 'object' || change === null || Array.isArray(change)) throw new Error('must be a JSON object');
  return change;
}

function readConfig(path: string): { carriers?: CarrierChange[]; all?: CarrierChange } {
  const config = readCarrier(readFileSync(path, 'utf8')) as ReturnType<typeof readConfig>;
  const unknown = Object.keys(config).find((name) => name !== 'carriers' && name !== 'all');
  if (unknown !== undefined) throw new Error(`no such setting: ${unknown}; there are carriers and all`);
  if (config.carriers !== undefined && !Array.isArray(config.carriers)) throw new Error('carriers must be a list');
  return config;
}

function withoutUndefined<T extends object>(object: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(object).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
