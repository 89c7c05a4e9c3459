/**
 * The API for tests of routes: the real server on a test database, spoken to without a socket. Two customers with a
 * user of each role, and the staff; `as('owner')` speaks with that user's session.
 */
import { createHash, randomBytes } from 'node:crypto';
import { after } from 'node:test';
import type { Role } from '@pahatid/contract';
import { run, sql } from '@pahatid/db';
import { buildApplication, buildCustomer, buildUser } from '@pahatid/db/builders';
import { type TestDatabase, testDatabase } from '@pahatid/testkit';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { type Logger, pino } from 'pino';
import { type Config, readConfig } from '../../process/config.ts';
import { makeSecrets } from '../../secrets/secrets.ts';
import { makeApp, type RegisterFeature } from '../app.ts';
import type { BodyTimes } from '../bodies.ts';
import type { ApiDeps } from '../deps.ts';
import type { BodyOf } from './body-of.ts';

/** `other` is the owner of the second customer. */
export type Who = Role | 'other' | null;

export interface Answer<Call extends string = string> {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  text: string;
  /** Parsed; undefined for an empty response. */
  body: BodyOf<Call>;
}

export interface Ask {
  query?: Record<string, string>;
  body?: unknown;
  headers?: Record<string, string>;
  ip?: string;
}

export interface TestApi {
  readonly app: FastifyInstance;
  readonly db: TestDatabase;
  readonly deps: ApiDeps;
  readonly customerId: string;
  readonly otherCustomerId: string;
  readonly appId: string;
  readonly otherAppId: string;
  /** `Authorization` header values of the two applications. */
  readonly basic: { readonly app: string; readonly otherApp: string };
  readonly users: Record<Exclude<Who, null>, { userId: string; account: string; cookie: string }>;
  /** Opens a session for a user built by the test; returns the cookie. */
  signIn(userId: string): Promise<string>;
  /** Ends the server as a process that is asked to end does. */
  end(): Promise<void>;
  /** Moves the API's clock. */
  advance(ms: number): void;
  /**
   * `ask('owner', 'GET /tasks')`, `ask('other', 'GET /tasks/123')`; the path is relative to /api/v1 unless it starts
   * with it.
   */
  ask<Call extends string>(who: Who, route: Call, input?: Ask): Promise<Answer<Call>>;
}

export interface TestApiOptions {
  readonly features: readonly RegisterFeature[];
  readonly config?: Partial<Config>;
  readonly consoleDir?: string;
  readonly times?: BodyTimes;
  readonly limits?: ApiDeps['limits'];
  /** Destination of log lines, for tests that read them; none by default. */
  readonly log?: Logger;
}

export async function makeTestApi(options: TestApiOptions): Promise<TestApi> {
  const ending = new AbortController();
  let close = async (): Promise<void> => {};
  // Registered before the database's hook: hooks run in order of registration, and the server must stop first.
  const end = async (): Promise<void> => {
    ending.abort();
    await close();
  };
  after(end);
  const db = await testDatabase();
  let offsetMs = 0;
  const deps: ApiDeps = {
    config: {
      ...readConfig({
        PAHATID_DATA: '/nonexistent',
        PAHATID_SECRET: '00'.repeat(32),
        PAHATID_UNSAFE_DATABASE: 'on',
      }),
      // Tests call faster than any client; tests of the limits set their own.
      rates: { people: 1e9, application: 1e9, address: 1e9 },
      ...options.config,
    },
    log: options.log ?? pino({ level: process.env.PAHATID_LOG ?? 'silent' }),
    pools: { control: db.pool, data: db.pool },
    secrets: makeSecrets(randomBytes(32)),
    now: () => new Date(Date.now() + offsetMs),
    signal: ending.signal,
    checkAnswers: true,
    consoleDir: options.consoleDir ?? '/nonexistent',
    ...(options.limits && { limits: options.limits }),
  };
  const customerId = await buildCustomer(db.pool, { customerName: 'Customer A' });
  const otherCustomerId = await buildCustomer(db.pool, { customerName: 'Customer B' });
  const credentials = { appSecret: 'secret-of-an-app', smppPassword: 'smpppass', secrets: deps.secrets };
  const appId = await buildApplication(db.pool, { customerId, credentials });
  const otherAppId = await buildApplication(db.pool, { customerId: otherCustomerId, credentials });
  const basicOf = (id: string): string => `Basic ${Buffer.from(`${id}:${credentials.appSecret}`).toString('base64')}`;
  const enter = async (spec: Parameters<typeof buildUser>[1]) => {
    const user = await buildUser(db.pool, spec);
    return { ...user, cookie: await openSession(db, user.userId, deps.now()) };
  };
  const users = {
    owner: await enter({ customerId, role: 'owner' }),
    member: await enter({ customerId, role: 'member' }),
    viewer: await enter({ customerId, role: 'viewer' }),
    other: await enter({ customerId: otherCustomerId, role: 'owner' }),
    reviewer: await enter({ customerId: null, role: 'reviewer' }),
    operator: await enter({ customerId: null, role: 'operator' }),
    admin: await enter({ customerId: null, role: 'admin' }),
  };
  const app = await makeApp(deps, options.features, options.times);
  close = async () => {
    await app.close();
  };

  return {
    app,
    db,
    deps,
    customerId,
    otherCustomerId,
    appId,
    otherAppId,
    basic: { app: basicOf(appId), otherApp: basicOf(otherAppId) },
    users,
    end,
    signIn: (userId) => openSession(db, userId, deps.now()),
    advance: (ms) => {
      offsetMs += ms;
    },
    ask: async (who, route, input = {}) => {
      const [method = 'GET', path = '/'] = route.split(' ');
      const headers: Record<string, string> = { ...input.headers };
      if (who !== null) headers.cookie ??= users[who].cookie;
      const payload =
        typeof input.body === 'string' || input.body === undefined ? input.body : JSON.stringify(input.body);
      const request: InjectOptions = {
        method,
        url: path.startsWith('/api') ? path : `/api/v1${path}`,
        headers,
        ...(payload !== undefined && { payload }),
        ...(input.query && { query: input.query }),
        ...(input.ip && { remoteAddress: input.ip }),
      };
      if (input.body !== undefined) headers['content-type'] ??= 'application/json';
      const response = await app.inject(request);
      const text = response.payload;
      const isJson = /json/.test(String(response.headers['content-type'] ?? ''));
      return {
        status: response.statusCode,
        headers: response.headers,
        text,
        body: isJson && text !== '' ? JSON.parse(text) : undefined,
      };
    },
  };
}

/** Creates a session without the sign-in, which costs an argon2 hash; returns the cookie. */
async function openSession(db: TestDatabase, userId: string, now: Date): Promise<string> {
  const id = randomBytes(32).toString('base64url');
  const hash = createHash('sha256').update(id).digest();
  await run(
    db.pool,
    sql`insert into session (session_hash, user_id, created_at, last_seen_at, expires_at)
        values (${hash}, ${userId}, ${now}, ${now}, ${new Date(now.getTime() + 12 * 3_600_000)})`,
  );
  return `pahatid=${id}`;
}
