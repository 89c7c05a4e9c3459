/** Where the API is, and with which rights: environment variables before what `login` stored. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Pahatid, type PahatidOptions } from '@pahatid/client';
import { UsageError } from './usage.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Either a key, or an application's ID with its password. */
export interface Login {
  readonly baseUrl: string;
  readonly key?: string;
  readonly appId?: string;
  readonly appSecret?: string;
}

const OWNER_ONLY_FILE = 0o600;
const OWNER_ONLY_FOLDER = 0o700;

const fileOf = (env: Env): string =>
  path.join(env['XDG_CONFIG_HOME'] ?? path.join(env['HOME'] ?? os.homedir(), '.config'), 'pahatid', 'login.json');

export function readLogin(env: Env): Login {
  const stored = readStored(fileOf(env));
  const baseUrl = env['PAHATID_URL'] ?? stored?.baseUrl;
  if (baseUrl === undefined) throw new UsageError('no address: run `pahatid login`, or set PAHATID_URL');
  const { PAHATID_KEY: key, PAHATID_APP_ID: appId, PAHATID_APP_SECRET: appSecret } = env;
  if (key !== undefined) return { baseUrl, key };
  if (appId !== undefined && appSecret !== undefined) return { baseUrl, appId, appSecret };
  // A stored key belongs to the address it was stored with.
  if (stored === null || stored.baseUrl !== baseUrl)
    throw new UsageError('no key: run `pahatid login`, or set PAHATID_KEY');
  return stored;
}

function readStored(file: string): Login | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Login;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Stores it for the user of the machine alone; returns the file. */
export function saveLogin(login: Login, env: Env): string {
  const file = fileOf(env);
  mkdirSync(path.dirname(file), { recursive: true, mode: OWNER_ONLY_FOLDER });
  writeFileSync(file, `${JSON.stringify(login, null, 2)}\n`, { mode: OWNER_ONLY_FILE });
  chmodSync(file, OWNER_ONLY_FILE);
  return file;
}

export const connect = (login: Login): Pahatid => new Pahatid(login satisfies PahatidOptions);
