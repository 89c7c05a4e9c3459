/** The program's settings: the reader, its messages, `pahatid doctor` and the table of the README come from this list. */

export type Environment = Readonly<Record<string, string | undefined>>;

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

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
    meaning: "port of the SMPP server for customers' software",
  },
  { name: 'PAHATID_SMPP_TLS_PORT', fallback: 'off', meaning: 'port of the SMPP server over TLS' },
  {
    name: 'PAHATID_SMPP_TLS_KEY',
    fallback: 'off',
    meaning: 'file of the private key (PEM) for SMPP over TLS',
  },
  {
    name: 'PAHATID_SMPP_TLS_CERT',
    fallback: 'off',
    meaning: 'file of the certificate chain (PEM) for SMPP over TLS',
  },
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
    meaning:
      'PostgreSQL 15 to 18; of several servers (`postgres://user@db1,db2/pahatid`) the one that takes writes is used',
    secret: true,
  },
  {
    name: 'PAHATID_POOLER_URL',
    fallback: 'off',
    meaning:
      'PgBouncer in transaction mode in front of DATABASE_URL, through which the roles connect; what needs a session (LISTEN, migrations) connects to DATABASE_URL',
    secret: true,
  },
  {
    name: 'PAHATID_READ_URLS',
    fallback: 'off',
    meaning:
      'standby servers, separated by commas, for what is only read (records, statistics, exports) while they are less than 5 seconds behind',
    secret: true,
  },
  {
    name: 'PAHATID_CONTROL_URL',
    fallback: 'DATABASE_URL',
    meaning:
      'the node for migrations, LISTEN, locks and jobs of a distributed database; with Citus unset (docs/citus.md)',
    secret: true,
  },
  {
    name: 'PAHATID_DATA_URLS',
    fallback: 'DATABASE_URL',
    meaning: 'nodes for data of a distributed database, separated by commas; with Citus unset (docs/citus.md)',
    secret: true,
  },
  {
    name: 'PAHATID_ERASURE_FOLDER',
    fallback: 'that of the backups of the embedded database',
    meaning:
      'folder, on another disk than the database, in which erasures of numbers are listed, sealed, so that a restore repeats them; needed with DATABASE_URL, the same for all machines',
  },
  {
    name: 'PAHATID_UNSAFE_DATABASE',
    fallback: 'off',
    meaning:
      'on: also send with a database that may lose what it commits (fsync, full_page_writes or synchronous_commit off), for tests and trials: after a crash messages may be sent again',
  },
  {
    name: 'PAHATID_ROLES',
    fallback: 'all',
    meaning: 'roles that this start runs: api, smpp, sender, jobs',
  },
  {
    name: 'PAHATID_API_PROCESSES',
    fallback: '2 with two or more cores, else 1',
    meaning: 'processes of the api role, 1 to 8: while one stops or restarts the others serve',
  },
  {
    name: 'PAHATID_SECRET',
    fallback: 'generated and stored in the data folder',
    meaning: 'master key for secrets at rest, 32 bytes in hex or base64; required with DATABASE_URL',
    secret: true,
  },
  {
    name: 'PAHATID_DEMO',
    fallback: 'on with the embedded database, else off',
    meaning:
      'on: demo accounts and data; refuses to start with a PAHATID_HOST or PAHATID_PUBLIC_URL that is not loopback, or with PAHATID_TRUST_PROXY. visitors: a public demo without these accounts, which anybody may look at; needs a database of its own',
  },
  {
    name: 'PAHATID_DEMO_TRAFFIC',
    fallback: 'on for visitors, and with the demo in a terminal; else off',
    meaning: 'the software of the demo customer sends messages all day, to simulated carriers',
  },
  {
    name: 'PAHATID_DEMO_URL',
    fallback: 'none',
    meaning: 'address of a separate public demo, which the website links to',
  },
  { name: 'SMTP_URL', fallback: 'development mailbox', meaning: 'outgoing mail, smtp:// or smtps://', secret: true },
  { name: 'MAIL_FROM', fallback: 'Pahatid <no-reply@localhost>', meaning: 'sender of outgoing mail' },
  { name: 'PAHATID_PUBLIC_URL', fallback: 'from host and port', meaning: 'address at which users reach the console' },
  { name: 'PAHATID_SHORT_URL', fallback: 'PAHATID_PUBLIC_URL', meaning: 'address in front of short links' },
  {
    name: 'PAHATID_OPT_OUT_NUMBER',
    fallback: 'none',
    meaning: "provider's number to which recipients text T to opt out, for sender IDs that cannot receive replies",
  },
  { name: 'PAHATID_LOG', fallback: 'info', meaning: `level of the log: ${LOG_LEVELS.join(', ')}` },
  {
    name: 'PAHATID_METRICS_TOKEN',
    fallback: 'loopback only',
    meaning: 'bearer token that opens /metrics, at least 16 characters',
    secret: true,
  },
  {
    name: 'PAHATID_AUDIT_TOKEN',
    fallback: 'no feed',
    meaning: 'bearer token that opens /audit-feed, the audit log for a SIEM, at least 32 characters',
    secret: true,
  },
  {
    name: 'PAHATID_TRUST_PROXY',
    fallback: 'none',
    meaning:
      'addresses or networks of reverse proxies and of SMPP balancers, which must send PROXY protocol headers; separated by commas',
  },
  {
    name: 'PAHATID_CALLBACK_ALLOW',
    fallback: 'public addresses only',
    meaning: 'additional networks that callbacks may reach, there also over http and on any port, separated by commas',
  },
  {
    name: 'PAHATID_RATE_PEOPLE',
    fallback: '1000',
    meaning:
      'requests per second from all users of a customer together, or from one staff user, over all api processes',
  },
  {
    name: 'PAHATID_RATE_APPLICATION',
    fallback: '5000',
    meaning: 'requests per second from one application or key of one, over all api processes',
  },
  {
    name: 'PAHATID_RATE_ADDRESS',
    fallback: '200',
    meaning: 'requests per second from one address that is not signed in, over all api processes',
  },
  {
    name: 'PAHATID_ALARM_ACCOUNTS',
    fallback: '10',
    meaning:
      'staff are alarmed when sign-ins of so many accounts failed within an hour from one network, or ten times as many from all',
  },
  {
    name: 'PAHATID_ALARM_LOOK_UPS',
    fallback: '500',
    meaning:
      'staff are alarmed when one user opened so many phone numbers within an hour, or one key twenty times as many messages',
  },
  {
    name: 'PAHATID_ALARM_EXPORTED_ROWS',
    fallback: '200000',
    meaning:
      'staff are alarmed when one user or application exported so many rows within 24 hours, and more than three times as many as on any day of the month before',
  },
  {
    name: 'PAHATID_COUNTRY_HEADER',
    fallback: 'none',
    meaning:
      'header in which a proxy of PAHATID_TRUST_PROXY gives the country of a visitor in two letters, e.g. `cf-ipcountry`; the proxy must remove it from what visitors send',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    fallback: 'no traces',
    meaning: 'address of an OpenTelemetry receiver (OTLP over HTTP, usually port 4318) for traces of messages',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_HEADERS',
    fallback: 'none',
    meaning: 'headers for that receiver, `name=value`, separated by commas',
    secret: true,
  },
  {
    name: 'OTEL_TRACES_SAMPLER_ARG',
    fallback: '0.01',
    meaning: 'part of the messages whose traces are recorded, 0 to 1; give it to all processes alike',
  },
  {
    name: 'PAHATID_ARCHIVE_DAYS',
    fallback: 'off',
    meaning:
      'age in days, 35 to 400, from which messages move to the compressed archive: those of days that `verify` has sealed and to which no receipt can come any more',
  },
];

/** Every setting with the value in force; secrets are shown as `(set)`. */
export function describeSettings(env: Environment): { name: string; value: string; meaning: string }[] {
  return SETTINGS.map(({ name, fallback, meaning, secret }) => {
    const given = env[name]?.trim();
    const value = given === undefined || given === '' ? fallback : secret ? '(set)' : given;
    return { name, value, meaning };
  });
}
