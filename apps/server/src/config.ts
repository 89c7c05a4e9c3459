/**
 * The program's settings. `SETTINGS` is the one list of them: the reader, the messages, `pahatid doctor` and the table
 * of the README come from it. A bad value is one clear line (`ConfigError.problems`), never a start with a guess.
 */
import { isIP } from 'node:net';
import path from 'node:path';

export const ROLE_NAMES = ['api', 'smpp', 'sender', 'jobs'] as const;
export type RoleName = (typeof ROLE_NAMES)[number];

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface Config {
  readonly host: string;
  readonly port: number;
  readonly smppPort: number;
  /** null: no SMPP over TLS. */
  readonly smppTls: { readonly port: number; readonly keyFile: string; readonly certFile: string } | null;
  /** null: no carrier simulator. */
  readonly simulatorPort: number | null;
  /** Absolute. */
  readonly dataDir: string;
  /** null: the embedded database. */
  readonly databaseUrl: string | null;
  /** null: as `databaseUrl`. */
  readonly controlUrl: string | null;
  /** Empty: as `databaseUrl`. */
  readonly dataUrls: readonly string[];
  readonly roles: readonly RoleName[];
  /** null: the supervisor decides by the machine. */
  readonly apiProcesses: number | null;
  /** 32 bytes, or null when it is to be made and kept in the data folder (embedded database only). */
  readonly secret: Buffer | null;
  readonly demo: boolean;
  readonly smtpUrl: string | null;
  readonly mailFrom: string;
  /** Without a trailing slash. */
  readonly publicUrl: string;
  /** Without a trailing slash. */
  readonly shortUrl: string;
  /** What phones text to where the sender ID can't be answered; null: replies to sender IDs arrive. */
  readonly optOutNumber: string | null;
  readonly logLevel: LogLevel;
  readonly metricsToken: string | null;
  /** Addresses or networks (CIDR). */
  readonly trustProxy: readonly string[];
  /** Networks (CIDR) besides public addresses. */
  readonly callbackAllow: readonly string[];
  /** Calls a second that one may make of each api process. */
  readonly rates: { readonly people: number; readonly application: number; readonly address: number };
}

export interface Setting {
  readonly name: string;
  readonly fallback: string;
  readonly meaning: string;
  readonly secret?: true;
}

export const SETTINGS: readonly Setting[] = [
  { name: 'PAHATID_HOST', fallback: '127.0.0.1', meaning: 'address to listen on' },
  { name: 'PAHATID_PORT', fallback: '8080', meaning: 'port of HTTP: console, API, short links' },
  {
    name: 'PAHATID_SMPP_PORT',
    fallback: '2775',
    meaning: "reserved for the SMPP server for customers' software, which is not there yet",
  },
  { name: 'PAHATID_SMPP_TLS_PORT', fallback: 'off', meaning: 'port of the same over TLS' },
  { name: 'PAHATID_SMPP_TLS_KEY', fallback: 'off', meaning: 'file of the private key (PEM) for SMPP over TLS' },
  { name: 'PAHATID_SMPP_TLS_CERT', fallback: 'off', meaning: 'file of the certificate chain (PEM) for SMPP over TLS' },
  { name: 'PAHATID_SIM_PORT', fallback: '2776', meaning: 'port of the carrier simulator; `off` starts none' },
  {
    name: 'PAHATID_DATA',
    fallback: './data',
    meaning:
      'folder of the embedded database, the master key, compiled code and the development mailbox; removing it removes everything',
  },
  {
    name: 'DATABASE_URL',
    fallback: 'embedded',
    meaning: 'PostgreSQL 15 to 18',
    secret: true,
  },
  {
    name: 'PAHATID_CONTROL_URL',
    fallback: 'DATABASE_URL',
    meaning: 'the node for migrations, LISTEN, locks and jobs of a distributed database; not proven on Citus yet',
    secret: true,
  },
  {
    name: 'PAHATID_DATA_URLS',
    fallback: 'DATABASE_URL',
    meaning: 'nodes for data of a distributed database, separated by commas; not proven on Citus yet',
    secret: true,
  },
  {
    name: 'PAHATID_ROLES',
    fallback: 'all',
    meaning: 'roles this process group runs: api, smpp, sender, jobs; smpp has no server yet',
  },
  {
    name: 'PAHATID_API_PROCESSES',
    fallback: '2 from two cores on, else 1',
    meaning: 'processes of the api role, 1 to 8: while one ends or is started again the others serve',
  },
  {
    name: 'PAHATID_SECRET',
    fallback: 'made and kept in the data folder',
    meaning: 'master key for secrets at rest, 32 bytes in hex or base64; required with DATABASE_URL',
    secret: true,
  },
  {
    name: 'PAHATID_DEMO',
    fallback: 'on with the embedded database, else off',
    meaning:
      'demo accounts and data; refuses to start with a PAHATID_HOST or PAHATID_PUBLIC_URL that is not loopback, or with PAHATID_TRUST_PROXY',
  },
  { name: 'SMTP_URL', fallback: 'development mailbox', meaning: 'outgoing mail, smtp:// or smtps://', secret: true },
  { name: 'MAIL_FROM', fallback: 'Pahatid <no-reply@localhost>', meaning: 'sender of outgoing mail' },
  { name: 'PAHATID_PUBLIC_URL', fallback: 'from host and port', meaning: 'address people reach the console at' },
  { name: 'PAHATID_SHORT_URL', fallback: 'PAHATID_PUBLIC_URL', meaning: 'address in front of short links' },
  {
    name: 'PAHATID_OPT_OUT_NUMBER',
    fallback: 'none',
    meaning: 'number of the provider that phones text T to, for sender IDs that cannot be answered',
  },
  { name: 'PAHATID_LOG', fallback: 'info', meaning: `level of the log: ${LOG_LEVELS.join(', ')}` },
  {
    name: 'PAHATID_METRICS_TOKEN',
    fallback: 'loopback only',
    meaning: 'bearer token that opens /metrics, at least 16 characters',
    secret: true,
  },
  {
    name: 'PAHATID_TRUST_PROXY',
    fallback: 'none',
    meaning: 'addresses or networks of reverse proxies and SMPP balancers, separated by commas',
  },
  {
    name: 'PAHATID_CALLBACK_ALLOW',
    fallback: 'public addresses only',
    meaning: 'networks that callbacks may reach besides, there by http and at any port too, separated by commas',
  },
  {
    name: 'PAHATID_RATE_PEOPLE',
    fallback: '1000',
    meaning: "calls a second of each api process by all of a customer's people together, or by one of the staff",
  },
  {
    name: 'PAHATID_RATE_APPLICATION',
    fallback: '5000',
    meaning: 'calls a second of each api process by one application',
  },
  {
    name: 'PAHATID_RATE_ADDRESS',
    fallback: '200',
    meaning: 'calls a second of each api process by one address that is not signed in',
  },
];

export class ConfigError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/** The host of an address, without the brackets of IPv6. */
export const hostnameOf = (address: string): string => new URL(address).hostname.replace(/^\[|\]$/g, '');

/** Reads every setting of `env`, or throws one `ConfigError` that names all that is wrong. Touches no file. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const problems: string[] = [];
  const refuse = (name: string, wants: string): void => {
    const setting = SETTINGS.find((each) => each.name === name);
    problems.push(`${name}: ${setting?.secret ? '' : `“${env[name] ?? ''}” `}${wants}`);
  };
  const text = (name: string): string | null => {
    const value = env[name]?.trim();
    return value === undefined || value === '' ? null : value;
  };
  const port = (name: string, fallback: number): number => {
    const value = text(name);
    if (value === null) return fallback;
    if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value);
    refuse(name, 'is not a port (0 to 65535)');
    return fallback;
  };
  const portOrOff = (name: string, fallback: number | null): number | null =>
    text(name) === 'off' ? null : text(name) === null ? fallback : port(name, 0);
  const list = (name: string): string[] =>
    (text(name) ?? '')
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
  const url = (name: string, protocols: readonly string[]): string | null => {
    const value = text(name);
    if (value === null) return null;
    if (URL.canParse(value) && protocols.includes(new URL(value).protocol)) return value;
    refuse(name, `is not an address that begins with ${protocols.map((each) => `${each}//`).join(' or ')}`);
    return null;
  };
  const networks = (name: string): string[] => {
    const items = list(name).filter((item) => item !== 'none');
    for (const item of items) if (!isNetwork(item)) refuse(name, `has “${item}”, which is no address or network`);
    return items;
  };

  const rate = (name: string, fallback: number): number => {
    const value = text(name);
    if (value === null) return fallback;
    if (/^[1-9]\d{0,6}$/.test(value)) return Number(value);
    refuse(name, 'is not a number of calls a second (1 to 9999999)');
    return fallback;
  };

  const host = text('PAHATID_HOST') ?? '127.0.0.1';
  if (!/^[\w.:-]+$/.test(host)) refuse('PAHATID_HOST', 'is not an address');
  const httpPort = port('PAHATID_PORT', 8080);
  const postgres = ['postgres:', 'postgresql:'];
  const databaseUrl = url('DATABASE_URL', postgres);
  const controlUrl = url('PAHATID_CONTROL_URL', postgres);
  const dataUrls = list('PAHATID_DATA_URLS');
  for (const each of dataUrls) {
    if (!URL.canParse(each) || !postgres.includes(new URL(each).protocol)) {
      refuse('PAHATID_DATA_URLS', 'is not a list of addresses that begin with postgres://');
    }
  }
  if ((controlUrl !== null || dataUrls.length > 0) && text('DATABASE_URL') === null) {
    problems.push('PAHATID_CONTROL_URL and PAHATID_DATA_URLS need DATABASE_URL');
  }

  const roles = readRoles(text('PAHATID_ROLES'), (wants) => refuse('PAHATID_ROLES', wants));
  const secret = readSecret(text('PAHATID_SECRET'), (wants) => refuse('PAHATID_SECRET', wants));
  if (text('DATABASE_URL') !== null && text('PAHATID_SECRET') === null) {
    problems.push('PAHATID_SECRET: is required with DATABASE_URL (make one with: openssl rand -hex 32)');
  }

  const demoText = text('PAHATID_DEMO') ?? (text('DATABASE_URL') === null ? 'on' : 'off');
  if (demoText !== 'on' && demoText !== 'off') refuse('PAHATID_DEMO', 'is neither on nor off');
  const demo = demoText === 'on';
  if (demo && !isLoopback(host)) {
    problems.push(
      `PAHATID_DEMO: demo accounts have known passwords, so PAHATID_HOST “${host}” must be loopback; set PAHATID_DEMO=off`,
    );
  }

  const trustProxy = networks('PAHATID_TRUST_PROXY');
  if (demo && trustProxy.length > 0) {
    problems.push(
      'PAHATID_DEMO: demo accounts have known passwords, so there must be no proxy (PAHATID_TRUST_PROXY) in front; set PAHATID_DEMO=off',
    );
  }

  const smppPort = port('PAHATID_SMPP_PORT', 2775);
  const tlsPort = portOrOff('PAHATID_SMPP_TLS_PORT', null);
  const keyFile = fileOrOff(text('PAHATID_SMPP_TLS_KEY'));
  const certFile = fileOrOff(text('PAHATID_SMPP_TLS_CERT'));
  if (tlsPort !== null && (keyFile === null || certFile === null)) {
    problems.push('PAHATID_SMPP_TLS_PORT: needs PAHATID_SMPP_TLS_KEY and PAHATID_SMPP_TLS_CERT');
  }

  const optOutNumber = text('PAHATID_OPT_OUT_NUMBER');
  if (optOutNumber !== null && !/^\+?\d{3,15}$/.test(optOutNumber))
    refuse('PAHATID_OPT_OUT_NUMBER', 'is not a number of 3 to 15 digits');

  const logLevel = (text('PAHATID_LOG') ?? 'info') as LogLevel;
  if (!LOG_LEVELS.includes(logLevel)) refuse('PAHATID_LOG', `is none of ${LOG_LEVELS.join(', ')}`);
  const metricsToken = text('PAHATID_METRICS_TOKEN');
  if (metricsToken !== null && metricsToken.length < 16)
    refuse('PAHATID_METRICS_TOKEN', 'is shorter than 16 characters');

  const shownHost = host.includes(':') ? `[${host}]` : host;
  const publicUrl = withoutSlash(url('PAHATID_PUBLIC_URL', ['http:', 'https:']) ?? `http://${shownHost}:${httpPort}`);
  if (demo && text('PAHATID_PUBLIC_URL') !== null && !isLoopback(hostnameOf(publicUrl))) {
    problems.push(
      `PAHATID_DEMO: demo accounts have known passwords, so PAHATID_PUBLIC_URL “${publicUrl}” must be loopback; set PAHATID_DEMO=off`,
    );
  }
  const shortUrl = withoutSlash(url('PAHATID_SHORT_URL', ['http:', 'https:']) ?? publicUrl);
  const smtpUrl = url('SMTP_URL', ['smtp:', 'smtps:']);
  const simulatorPort = portOrOff('PAHATID_SIM_PORT', 2776);
  const callbackAllow = networks('PAHATID_CALLBACK_ALLOW');
  const rates = {
    people: rate('PAHATID_RATE_PEOPLE', 1_000),
    application: rate('PAHATID_RATE_APPLICATION', 5_000),
    address: rate('PAHATID_RATE_ADDRESS', 200),
  };
  const processesText = text('PAHATID_API_PROCESSES');
  if (processesText !== null && !/^[1-8]$/.test(processesText))
    refuse('PAHATID_API_PROCESSES', 'is not a number of processes (1 to 8)');
  if (problems.length > 0) throw new ConfigError(problems);

  return {
    host,
    port: httpPort,
    smppPort,
    smppTls: tlsPort === null || keyFile === null || certFile === null ? null : { port: tlsPort, keyFile, certFile },
    simulatorPort,
    dataDir: path.resolve(text('PAHATID_DATA') ?? './data'),
    databaseUrl,
    controlUrl,
    dataUrls,
    roles,
    apiProcesses: processesText === null ? null : Number(processesText),
    secret,
    demo,
    smtpUrl,
    mailFrom: text('MAIL_FROM') ?? 'Pahatid <no-reply@localhost>',
    publicUrl,
    shortUrl,
    optOutNumber,
    logLevel,
    metricsToken,
    trustProxy,
    callbackAllow,
    rates,
  };
}

/** Every setting with the value in force; secrets are shown as `(set)`. */
export function describeSettings(
  env: Readonly<Record<string, string | undefined>>,
): { name: string; value: string; meaning: string }[] {
  return SETTINGS.map(({ name, fallback, meaning, secret }) => {
    const given = env[name]?.trim();
    const value = given === undefined || given === '' ? fallback : secret ? '(set)' : given;
    return { name, value, meaning };
  });
}

function readRoles(value: string | null, refuse: (wants: string) => void): readonly RoleName[] {
  if (value === null || value === 'all') return ROLE_NAMES;
  const names = [...new Set(value.split(',').map((name) => name.trim()))];
  if (names.every((name): name is RoleName => (ROLE_NAMES as readonly string[]).includes(name))) return names;
  refuse(`is not “all” nor a list of ${ROLE_NAMES.join(', ')}`);
  return ROLE_NAMES;
}

function readSecret(value: string | null, refuse: (wants: string) => void): Buffer | null {
  if (value === null) return null;
  const bytes = /^[0-9a-fA-F]{64}$/.test(value) ? Buffer.from(value, 'hex') : Buffer.from(value, 'base64');
  if (bytes.length === 32) return bytes;
  refuse('is not 32 bytes in hex or base64');
  return null;
}

function isNetwork(item: string): boolean {
  const [address, bits, ...rest] = item.split('/') as [string, string?, ...string[]];
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

const fileOrOff = (value: string | null): string | null =>
  value === null || value === 'off' ? null : path.resolve(value);

const withoutSlash = (address: string): string => address.replace(/(?<!\/)\/+$/, '');
