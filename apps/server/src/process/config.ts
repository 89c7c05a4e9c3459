/**
 * The program's configuration, read from its settings. A bad value is one clear line (`ConfigError.problems`), never a
 * start with a guess.
 */
import { isIP } from 'node:net';
import path from 'node:path';
import { type Environment, LOG_LEVELS, type LogLevel } from './settings.ts';
import { isUrl, SettingsReader } from './settings-reader.ts';

export const ROLE_NAMES = ['api', 'smpp', 'sender', 'jobs'] as const;
export type RoleName = (typeof ROLE_NAMES)[number];

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
  /** Of a PgBouncer in transaction mode in front of the database; null: none. */
  readonly poolerUrl: string | null;
  /** null: as `databaseUrl`. */
  readonly controlUrl: string | null;
  /** Of replicas for what is only read; empty: none. */
  readonly readUrls: readonly string[];
  /** Empty: as `databaseUrl`. */
  readonly dataUrls: readonly string[];
  /** Where erasures are listed; null: in the folder of the backups, if there is one. Absolute. */
  readonly erasureFolder: string | null;
  /** Senders send although a crash of the database may lose what it committed. */
  readonly allowsUnsafeDatabase: boolean;
  readonly roles: readonly RoleName[];
  /** null: the supervisor decides by the machine. */
  readonly apiProcesses: number | null;
  /** 32 bytes, or null if it must be generated and stored in the data folder (embedded database only). */
  readonly secret: Buffer | null;
  readonly demo: boolean;
  /** The demo's data without accounts with known passwords: anybody may look at it and change nothing. */
  readonly visitors: boolean;
  /** Whether the demo customer's software sends messages; null: as the terminal says. */
  readonly demoTraffic: boolean | null;
  /** Of a public demo elsewhere, without a trailing slash; null: the website links to none. */
  readonly demoUrl: string | null;
  readonly smtpUrl: string | null;
  readonly mailFrom: string;
  /** Without a trailing slash. */
  readonly publicUrl: string;
  /** Without a trailing slash. */
  readonly shortUrl: string;
  /** The number phones text if the sender ID can't receive replies; null: replies to sender IDs arrive. */
  readonly optOutNumber: string | null;
  readonly logLevel: LogLevel;
  readonly metricsToken: string | null;
  readonly auditToken: string | null;
  /** Addresses or networks (CIDR). */
  readonly trustProxy: readonly string[];
  /** Networks (CIDR) in addition to public addresses. */
  readonly callbackAllow: readonly string[];
  /** null: no traces are sent. `share`: of the messages, 0 to 1. */
  readonly traces: { readonly endpoint: string; readonly share: number } | null;
  /** Age from which messages are archived; null: they are not. */
  readonly archiveAfterDays: number | null;
  /** From when on staff are alarmed: accounts of a network, numbers of a user an hour, exported rows of a day. */
  readonly alarms: { readonly accounts: number; readonly lookUps: number; readonly exportedRows: number };
  /** In lower case; null: no proxy names countries. */
  readonly countryHeader: string | null;
  /** Calls a second that one may make of each api process. */
  readonly rates: { readonly people: number; readonly application: number; readonly address: number };
}

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
export const getHostname = (address: string): string => new URL(address).hostname.replace(/^\[|\]$/g, '');

/** Reads every setting of `env`, or throws one `ConfigError` that names all that is wrong. Touches no file. */
export function readConfig(env: Environment): Config {
  const read = new SettingsReader(env);
  const host = read.matching('PAHATID_HOST', /^[\w.:-]+$/, 'is not an address') ?? '127.0.0.1';
  const port = read.port('PAHATID_PORT', 8080);
  const database = readDatabase(read);
  const roles = readRoles(read);
  const secret = readSecret(read);
  const { demo, visitors, demoTraffic, demoUrl } = readDemo(read, host);
  const config: Config = {
    host,
    port,
    ...database,
    erasureFolder: readFolder(read, 'PAHATID_ERASURE_FOLDER'),
    allowsUnsafeDatabase: read.onOrOff('PAHATID_UNSAFE_DATABASE', false),
    roles,
    secret,
    demo,
    visitors,
    demoTraffic,
    demoUrl,
    trustProxy: readTrustProxy(read, demo),
    ...readSmpp(read),
    optOutNumber: read.matching('PAHATID_OPT_OUT_NUMBER', /^\+?\d{3,15}$/, 'is not a number of 3 to 15 digits'),
    logLevel: readLogLevel(read),
    metricsToken: read.matching('PAHATID_METRICS_TOKEN', /^.{16,}$/s, 'is shorter than 16 characters'),
    auditToken: read.matching('PAHATID_AUDIT_TOKEN', /^.{32,}$/s, 'is shorter than 32 characters'),
    ...readUrls(read, { host, port, demo }),
    smtpUrl: read.url('SMTP_URL', ['smtp:', 'smtps:']),
    simulatorPort: read.portOrOff('PAHATID_SIM_PORT', 2776),
    callbackAllow: read.networks('PAHATID_CALLBACK_ALLOW'),
    rates: {
      people: read.rate('PAHATID_RATE_PEOPLE', 1_000),
      application: read.rate('PAHATID_RATE_APPLICATION', 5_000),
      address: read.rate('PAHATID_RATE_ADDRESS', 200),
    },
    alarms: {
      accounts: read.bound('PAHATID_ALARM_ACCOUNTS', 10),
      lookUps: read.bound('PAHATID_ALARM_LOOK_UPS', 500),
      exportedRows: read.bound('PAHATID_ALARM_EXPORTED_ROWS', 200_000),
    },
    countryHeader: readCountryHeader(read),
    traces: readTraces(read),
    archiveAfterDays: readArchiveDays(read),
    apiProcesses: readApiProcesses(read),
    dataDir: path.resolve(read.text('PAHATID_DATA') ?? './data'),
    mailFrom: read.text('MAIL_FROM') ?? 'Pahatid <no-reply@localhost>',
  };
  if (read.problems.length > 0) throw new ConfigError(read.problems);
  return config;
}

const postgres = ['postgres:', 'postgresql:'];

type Database = Pick<Config, 'databaseUrl' | 'poolerUrl' | 'readUrls' | 'controlUrl' | 'dataUrls'>;

function readDatabase(read: SettingsReader): Database {
  const databaseUrl = read.url('DATABASE_URL', postgres);
  const poolerUrl = read.url('PAHATID_POOLER_URL', postgres);
  const controlUrl = read.url('PAHATID_CONTROL_URL', postgres);
  const [readUrls = [], dataUrls = []] = ['PAHATID_READ_URLS', 'PAHATID_DATA_URLS'].map((name) => {
    const urls = read.list(name);
    if (!urls.every((each) => isUrl(each, postgres)))
      read.refuse(name, 'is not a list of addresses that begin with postgres://');
    return urls;
  });
  const hasMore = poolerUrl !== null || controlUrl !== null || readUrls.length > 0 || dataUrls.length > 0;
  if (hasMore && read.text('DATABASE_URL') === null)
    read.problems.push(
      'PAHATID_POOLER_URL, PAHATID_READ_URLS, PAHATID_CONTROL_URL and PAHATID_DATA_URLS need DATABASE_URL',
    );
  return { databaseUrl, poolerUrl, readUrls, controlUrl, dataUrls };
}

function readTraces(read: SettingsReader): Config['traces'] {
  const endpoint = read.url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:']);
  const share = read.matching('OTEL_TRACES_SAMPLER_ARG', /^(?:0|1|0?\.\d{1,9}|1\.0*)$/, 'is not a part from 0 to 1');
  return endpoint === null ? null : { endpoint, share: Number(share ?? 0.01) };
}

function readCountryHeader(read: SettingsReader): string | null {
  const name = read.matching('PAHATID_COUNTRY_HEADER', /^[A-Za-z][A-Za-z0-9-]{0,60}$/, 'is not the name of a header');
  if (name !== null && read.list('PAHATID_TRUST_PROXY').length === 0)
    read.refuse('PAHATID_COUNTRY_HEADER', 'needs PAHATID_TRUST_PROXY: visitors could send it themselves');
  return name?.toLowerCase() ?? null;
}

function readRoles(read: SettingsReader): readonly RoleName[] {
  const value = read.text('PAHATID_ROLES');
  if (value === null || value === 'all') return ROLE_NAMES;
  const names = [...new Set(value.split(',').map((name) => name.trim()))];
  if (names.every((name): name is RoleName => (ROLE_NAMES as readonly string[]).includes(name))) return names;
  read.refuse('PAHATID_ROLES', `is not “all” nor a list of ${ROLE_NAMES.join(', ')}`);
  return ROLE_NAMES;
}

function readSecret(read: SettingsReader): Buffer | null {
  const value = read.text('PAHATID_SECRET');
  if (value === null) {
    if (read.text('DATABASE_URL') !== null)
      read.problems.push('PAHATID_SECRET: is required with DATABASE_URL (make one with: openssl rand -hex 32)');
    return null;
  }
  const bytes = /^[0-9a-fA-F]{64}$/.test(value) ? Buffer.from(value, 'hex') : Buffer.from(value, 'base64');
  if (bytes.length === 32) return bytes;
  read.refuse('PAHATID_SECRET', 'is not 32 bytes in hex or base64');
  return null;
}

function readDemo(read: SettingsReader, host: string): Pick<Config, 'demo' | 'visitors' | 'demoTraffic' | 'demoUrl'> {
  const value = read.matching('PAHATID_DEMO', /^(?:on|off|visitors)$/, 'is neither on, off nor visitors');
  const demo = value === null ? read.text('DATABASE_URL') === null : value === 'on';
  const visitors = value === 'visitors';
  if (demo && !isLoopback(host)) refuseDemo(read, `PAHATID_HOST “${host}” must be loopback`);
  const hasTraffic = read.text('PAHATID_DEMO_TRAFFIC') === null ? null : read.onOrOff('PAHATID_DEMO_TRAFFIC', false);
  if (hasTraffic === true && !demo && !visitors) read.refuse('PAHATID_DEMO_TRAFFIC', 'needs PAHATID_DEMO');
  const demoTraffic = demo ? hasTraffic : visitors && hasTraffic !== false;
  const demoUrl = read.url('PAHATID_DEMO_URL', ['http:', 'https:']);
  return { demo, visitors, demoTraffic, demoUrl: demoUrl === null ? null : withoutSlash(demoUrl) };
}

function readTrustProxy(read: SettingsReader, demo: boolean): readonly string[] {
  const networks = read.networks('PAHATID_TRUST_PROXY');
  if (demo && networks.length > 0) refuseDemo(read, 'there must be no proxy (PAHATID_TRUST_PROXY) in front');
  return networks;
}

const refuseDemo = (read: SettingsReader, wants: string): void => {
  read.problems.push(`PAHATID_DEMO: demo accounts have known passwords, so ${wants}; set PAHATID_DEMO=off`);
};

function readSmpp(read: SettingsReader): Pick<Config, 'smppPort' | 'smppTls'> {
  const smppPort = read.port('PAHATID_SMPP_PORT', 2775);
  const port = read.portOrOff('PAHATID_SMPP_TLS_PORT', null);
  const keyFile = fileOrOff(read.text('PAHATID_SMPP_TLS_KEY'));
  const certFile = fileOrOff(read.text('PAHATID_SMPP_TLS_CERT'));
  if (port === null) return { smppPort, smppTls: null };
  if (keyFile !== null && certFile !== null) return { smppPort, smppTls: { port, keyFile, certFile } };
  read.problems.push('PAHATID_SMPP_TLS_PORT: needs PAHATID_SMPP_TLS_KEY and PAHATID_SMPP_TLS_CERT');
  return { smppPort, smppTls: null };
}

function readLogLevel(read: SettingsReader): LogLevel {
  const value = read.text('PAHATID_LOG');
  if (value === null) return 'info';
  const level = LOG_LEVELS.find((each) => each === value);
  if (level === undefined) read.refuse('PAHATID_LOG', `is none of ${LOG_LEVELS.join(', ')}`);
  return level ?? 'info';
}

function readUrls(
  read: SettingsReader,
  { host, port, demo }: Pick<Config, 'host' | 'port' | 'demo'>,
): Pick<Config, 'publicUrl' | 'shortUrl'> {
  const shownHost = host.includes(':') ? `[${host}]` : host;
  const http = ['http:', 'https:'];
  const publicUrl = withoutSlash(read.url('PAHATID_PUBLIC_URL', http) ?? `http://${shownHost}:${port}`);
  if (demo && read.text('PAHATID_PUBLIC_URL') !== null && !isLoopback(getHostname(publicUrl)))
    refuseDemo(read, `PAHATID_PUBLIC_URL “${publicUrl}” must be loopback`);
  return { publicUrl, shortUrl: withoutSlash(read.url('PAHATID_SHORT_URL', http) ?? publicUrl) };
}

function readApiProcesses(read: SettingsReader): number | null {
  const value = read.matching('PAHATID_API_PROCESSES', /^[1-8]$/, 'is not a number of processes (1 to 8)');
  return value === null ? null : Number(value);
}

function readArchiveDays(read: SettingsReader): number | null {
  const value = read.text('PAHATID_ARCHIVE_DAYS');
  if (value === null || value === 'off') return null;
  const days = /^\d{2,3}$/.test(value) ? Number(value) : 0;
  if (days < 35 || days > 400) read.refuse('PAHATID_ARCHIVE_DAYS', 'is neither off nor a number of days (35 to 400)');
  return days;
}

function readFolder(read: SettingsReader, name: string): string | null {
  const value = read.text(name);
  return value === null ? null : path.resolve(value);
}

const fileOrOff = (value: string | null): string | null =>
  value === null || value === 'off' ? null : path.resolve(value);

const withoutSlash = (address: string): string => address.replace(/(?<!\/)\/+$/, '');
