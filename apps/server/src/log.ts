import { type Logger, pino } from 'pino';
import pretty from 'pino-pretty';
import type { LogLevel } from './config.ts';

/** JSON to stdout, or readable lines at a terminal. What is secret by its name never reaches either. */
export function makeLog(level: LogLevel, role: string): Logger {
  const options = {
    level,
    base: { role, pid: process.pid },
    redact: {
      paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`, `*.*.*.${field}`]),
      censor: '(hidden)',
    },
  };
  return process.stdout.isTTY
    ? pino(options, pretty({ colorize: true, ignore: 'pid', translateTime: 'SYS:HH:MM:ss.l', sync: true }))
    : pino(options);
}

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
];
