import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { CONTROL_CALLS } from './control.ts';
import { NO_FAULTS } from './faults.ts';
import { OUTCOME_NAMES, type OutcomeMix, OVERRIDES } from './outcomes.ts';
import { type CarrierChange, DEFAULT_CARRIERS } from './profiles.ts';
import type { Span } from './random.ts';
import type { SimulatorOptions } from './simulator.ts';

const FLAGS = {
  help: { type: 'boolean', value: '', says: 'this text' },
  host: { type: 'string', value: 'ADDRESS', says: 'address to listen on (127.0.0.1)' },
  port: { type: 'string', value: 'N', says: 'SMPP port, 0 takes a free one (2776)' },
  control: { type: 'string', value: 'N', says: 'HTTP control port (port + 1000)' },
  seed: { type: 'string', value: 'N', says: 'of everything left to chance (1)' },
  outcomes: { type: 'string', value: 'MIX', says: 'delivered=0.97,undeliv=0.02,expired=0.005,refused:0x0b=0.005' },
  'receipt-delay': { type: 'string', value: 'A-B', says: 'milliseconds from submit to receipt (200-3000)' },
  latency: { type: 'string', value: 'A-B', says: 'milliseconds from submit to response (0)' },
  reorder: { type: 'string', value: 'P', says: 'share of responses overtaken by later ones (0)' },
  tps: { type: 'string', value: 'N', says: 'submits a second, then ESME_RTHROTTLED (0: unlimited)' },
  window: { type: 'string', value: 'N', says: 'unanswered submits a bind, then ESME_RTHROTTLED (0: unlimited)' },
  'max-binds': { type: 'string', value: 'N', says: 'binds a carrier (50)' },
  journal: { type: 'string', value: 'FILE', says: 'append every submit to it, a JSON object a line' },
  'journal-limit': { type: 'string', value: 'N', says: 'submits kept in memory (1000000)' },
  'first-id': { type: 'string', value: 'N', says: 'number of the first message (from the clock)' },
  carrier: { type: 'string', value: 'JSON', says: 'change one by systemId, or add one; may be repeated' },
  config: { type: 'string', value: 'FILE', says: 'JSON: { "carriers": […], "all": {…} }' },
} as const;

/** What the words of the command line ask for, or `help`. Throws on what cannot be understood. */
export function readCommandLine(words: readonly string[]): SimulatorOptions | 'help' {
  const options = Object.fromEntries(
    Object.entries(FLAGS).map(([name, { type }]) => [name, { type, multiple: name === 'carrier' }]),
  );
  const { values } = parseArgs({ args: [...words], options });
  if (values.help === true) return 'help';
  const text = (name: keyof typeof FLAGS) => {
    const value = values[name];
    return typeof value === 'string' ? value : undefined;
  };
  const number = (name: keyof typeof FLAGS) => {
    const value = text(name);
    return value === undefined ? undefined : readNumber(name, value);
  };
  const config = readConfig(text('config'));
  const carriers = Array.isArray(values.carrier)
    ? values.carrier.map((json) => JSON.parse(String(json)) as CarrierChange)
    : [];
  return withoutUndefined({
    host: text('host'),
    port: number('port'),
    controlPort: number('control'),
    seed: number('seed'),
    journal: text('journal'),
    journalLimit: number('journal-limit'),
    firstId: number('first-id'),
    carriers: [...(config.carriers ?? []), ...carriers],
    all: withoutUndefined({
      ...config.all,
      outcomes: readMix(text('outcomes')) ?? config.all?.outcomes,
      receiptDelay: readSpan(text('receipt-delay')) ?? config.all?.receiptDelay,
      latency: readSpan(text('latency')) ?? config.all?.latency,
      reorder: number('reorder') ?? config.all?.reorder,
      tps: number('tps') ?? config.all?.tps,
      window: number('window') ?? config.all?.window,
      maxBinds: number('max-binds') ?? config.all?.maxBinds,
    }),
  });
}

/** Everything there is to know, for `--help`. */
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
    `  ${JSON.stringify(NO_FAULTS)}`,
    '',
    'A profile, to be changed in --carrier, --config and PATCH',
    `  ${JSON.stringify(DEFAULT_CARRIERS[0])}`,
    '',
  ].join('\n');
}

function receiptManner(receipt: (typeof DEFAULT_CARRIERS)[number]['receipt']): string {
  const tlvs = receipt.tlvs.length === 0 ? 'no TLVs' : 'TLVs';
  if (receipt.text === 'short') return `"<id> <state>" with ${tlvs}`;
  const id = receipt.textId === 'same' ? '' : ` with ${receipt.textId} ids`;
  return `of Appendix B${id}, dates ${receipt.dateFormat}, ${tlvs}`;
}

function row(left: string, right: string): string {
  return `  ${left.padEnd(24)}${right}`;
}

function readNumber(name: string, value: string): number {
  const number = Number(value);
  if (value.trim() === '' || !Number.isFinite(number) || number < 0) throw new Error(`--${name} must be a number`);
  return number;
}

/** `200-3000`, or one number for both. */
function readSpan(value: string | undefined): Span | undefined {
  if (value === undefined) return undefined;
  const match = /^(\d+)(?:-(\d+))?$/.exec(value);
  if (match === null) throw new Error(`"${value}" is no span of milliseconds such as 200-3000`);
  const fromMs = Number(match[1]);
  return { fromMs, toMs: Number(match[2] ?? match[1]) };
}

/** `delivered=0.9,refused:0x0b=0.1` */
function readMix(value: string | undefined): OutcomeMix | undefined {
  if (value === undefined) return undefined;
  const mix: Record<string, number> = {};
  for (const entry of value.split(',')) {
    const match = /^(\w+)(?::(0x[0-9a-f]+|\d+))?=(\d*\.?\d+)$/i.exec(entry.trim());
    const name = OUTCOME_NAMES.find((known) => known === match?.[1]);
    if (match === null || name === undefined) throw new Error(`"${entry}" is no outcome such as delivered=0.97`);
    mix[name] = Number(match[3]);
    if (match[2] !== undefined) mix.refusedStatus = Number(match[2]);
  }
  return mix;
}

function readConfig(path: string | undefined): { carriers?: CarrierChange[]; all?: CarrierChange } {
  return path === undefined ? {} : (JSON.parse(readFileSync(path, 'utf8')) as ReturnType<typeof readConfig>);
}

function withoutUndefined<T extends object>(object: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(object).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
