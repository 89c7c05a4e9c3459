/**
 * The log: JSON to stdout, or readable lines at a terminal. Lines about one message, batch or task contain its id;
 * phone numbers, texts and secrets are not logged. If a line contains one all the same, it is removed here: fields are
 * hidden by name, an error shows its kind and not its row, and anything like a phone number is masked in the finished
 * line.
 */
import { type Logger, pino, stdSerializers } from 'pino';
import pretty from 'pino-pretty';
import { LogTarget } from './log-target.ts';
import type { LogLevel } from './settings.ts';

const SECRET_FIELDS = [
  'password',
  'passwordHash',
  'secret',
  'appSecret',
  'smppPassword',
  'token',
  'authorization',
  'cookie',
  '["set-cookie"]',
  'databaseUrl',
  'poolerUrl',
  'controlUrl',
];
/** Personal data: the recipient and the text of a message. */
const PERSONAL_FIELDS = ['msisdn', 'mobileNumber', 'phoneAddress', 'destination', 'content', 'text', 'email'];

/** A mobile number of the Philippines in any of its forms, with no adjacent digit: ids and instants are longer. */
const PHONE = /(?<!\d)(?:\+?63|0)9\d{9}(?!\d)/g;

/** JSON leaves these as they are; terminals take some for commands (C1, ECMA-48) and viewers some for the end of a line. */
const UNSEEN = /[\u007f-\u009f\u2028\u2029]/g;

const cleanLine = (line: string): string =>
  line
    .replace(PHONE, (phone) => `${phone.slice(0, 5)}(hidden)`)
    .replace(UNSEEN, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** One event is one line, errors aside; the role comes first. */
const terminal = {
  colorize: true,
  singleLine: true,
  ignore: 'pid,role',
  messageFormat: '{role}: {msg}',
  translateTime: 'SYS:HH:MM:ss.l',
  sync: true,
};

export function makeLog(level: LogLevel, role: string): Logger {
  const options = {
    level,
    base: { role, pid: process.pid },
    redact: {
      paths: [...SECRET_FIELDS, ...PERSONAL_FIELDS].flatMap((field) => [
        field,
        `*.${field}`,
        `*.*.${field}`,
        `*.*.*.${field}`,
      ]),
      censor: '(hidden)',
    },
    serializers: { err: serializeError },
    hooks: { streamWrite: cleanLine },
  };
  return process.stdout.isTTY ? pino(options, pretty(terminal)) : pino(options, new LogTarget(process.stdout.fd));
}

/** Fields of a database error that show its kind; the others (`detail`, `where`) quote the row. */
const KEPT = ['type', 'message', 'stack', 'code', 'severity', 'table', 'constraint', 'syscall', 'address', 'port'];

/** Also of causes, as deep as they go. */
function serializeError(error: unknown): unknown {
  if (error instanceof Error) return keepKnown(stdSerializers.errWithCause(error));
  return typeof error === 'string' ? error : `(no error, but ${typeof error})`;
}

function keepKnown(all: Record<string, unknown>): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const field of KEPT) if (all[field] !== undefined) kept[field] = all[field];
  if (typeof all['cause'] === 'object' && all['cause'] !== null)
    kept['cause'] = keepKnown(all['cause'] as Record<string, unknown>);
  return kept;
}
