/** A customer at work on a world, by the API alone: signs in, uploads, creates tasks, confirms them, sends messages. */
import { randomUUID } from 'node:crypto';
import type { TestContext } from 'node:test';
import { makeClient, type Task, type TaskDetail, TaskStatus } from '@pahatid/contract';
import { uuidV7 } from '@pahatid/db';
import { buildSender, buildTemplate, buildUser, defaultPassword, hashAppSecret } from '@pahatid/db/builders';
import { type Program, until } from '@pahatid/testkit';
import type { SignedIn } from '../product.ts';
import { patience } from './sizes.ts';
import { World, type WorldOptions } from './world.ts';

/** Of the template that every task here is sent with. */
export const templateContent = 'Hi {1}, order {2} is ready.';
export const senderId = 'TESTSHOP';
/** Beyond those that `world.accept` uses. */
const FIRST_PHONE = 5_000_000;
const SECRET = 'secret-of-an-application';

export class Journey implements SignedIn {
  readonly world: World;
  readonly url: string;
  readonly templateId: string;
  readonly call: SignedIn['call'];
  readonly #account: string;
  #cookie = '';
  #next = FIRST_PHONE;

  private constructor(world: World, url: string, templateId: string, account: string) {
    this.world = world;
    this.url = url;
    this.templateId = templateId;
    this.#account = account;
    this.call = makeClient(async ({ method, path, body }) => {
      const answer = await this.fetch(path, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
      return text === '' ? undefined : (JSON.parse(text) as unknown);
    });
  }

  /** The owner of the scene's customer; its application may call by HTTP as well. */
  static async begin(world: World, url: string): Promise<Journey> {
    const { pool, scene } = world;
    const { customerId, appId } = scene;
    const templateId = await buildTemplate(pool, { customerId, appId, content: templateContent });
    await buildSender(pool, { customerId, appId, senderId });
    await pool.query(
      `insert into application_secret (secret_id, customer_id, app_id, kind, secret_hash, hint)
       values ($1, $2, $3, 'http', $4, 'tion')`,
      [uuidV7(), customerId, appId, hashAppSecret(SECRET)],
    );
    const { account } = await buildUser(pool, { customerId, role: 'owner' });
    const journey = new Journey(world, url, templateId, account);
    await journey.signIn();
    return journey;
  }

  async signIn(): Promise<void> {
    const answer = await fetch(`${this.url}/api/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ account: this.#account, password: defaultPassword }),
    });
    if (!answer.ok) throw new Error(`sign-in: ${answer.status} ${await answer.text()}`);
    this.#cookie = answer.headers
      .getSetCookie()
      .map((line) => line.split(';', 1)[0])
      .join('; ');
  }

  /**
   * Relative to `/api/v1`, as the user; signs in again if the session has expired: half an hour without a call ends it.
   */
  fetch = async (below: string, init?: RequestInit): Promise<Response> => {
    const ask = () =>
      fetch(`${this.url}/api/v1${below}`, { ...init, headers: { ...init?.headers, cookie: this.#cookie } });
    const answer = await ask();
    if (answer.status !== 401) return answer;
    await this.signIn();
    return ask();
  };

  get cookie(): string {
    return this.#cookie;
  }

  /** Phones never used before in this world. */
  phones(count: number): string[] {
    const recipients = this.world.scene.recipients(count, this.#next);
    this.#next += count;
    return recipients.map(({ msisdn }) => msisdn);
  }

  /** Calls `POST /messages` as the application; returns the raw response. */
  post(body: unknown, key: string = randomUUID()): Promise<Response> {
    const basic = Buffer.from(`${this.world.scene.appId}:${SECRET}`).toString('base64');
    return fetch(`${this.url}/api/v1/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Basic ${basic}`, 'idempotency-key': key },
      body: JSON.stringify(body),
    });
  }

  /** Returns the response to the upload. */
  upload(bytes: Uint8Array, name = 'phones.csv'): Promise<Response> {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(bytes)]), name);
    return this.fetch('/files', { method: 'POST', body: form });
  }

  /** Uploads, and waits until the file is read. */
  async uploadRead(bytes: Uint8Array): Promise<string> {
    const answer = await this.upload(bytes);
    if (answer.status !== 202) throw new Error(`upload: ${answer.status} ${await answer.text()}`);
    const { fileId } = (await answer.json()) as { fileId: string };
    await this.untilRead(fileId);
    return fileId;
  }

  async untilRead(fileId: string): Promise<void> {
    await until(async () => (await this.call('GET /files/:fileId', { params: { fileId } })).fileStatus === 'success', {
      timeoutMs: patience(60_000),
      everyMs: 50,
      what: 'the file to be read',
    });
  }

  /** What `POST /tasks` is given for a file. */
  taskBody(fileId: string, taskName: string, more: Record<string, unknown> = {}) {
    const { appId } = this.world.scene;
    const mapping = { variables: [1, 2] };
    const { templateId } = this;
    return { taskName, appId, smsType: 2 as const, templateId, senderId, fileId, mapping, ...more };
  }

  /** A task of so many phones, checked: it waits to be confirmed. */
  async prepare(count: number, taskName: string, more: Record<string, unknown> = {}): Promise<Prepared> {
    const phones = this.phones(count);
    const fileId = await this.uploadRead(phoneFile(phones));
    const { taskId } = await this.call('POST /tasks', { body: this.taskBody(fileId, taskName, more) });
    await this.untilStatus(taskId, TaskStatus.ValidationPassed);
    return { taskId, phones };
  }

  /** Confirms the task, and adds its phones to the accepted ones. */
  async confirm({ taskId, phones }: Prepared): Promise<Task> {
    const task = await this.call('POST /tasks/:taskId/confirm', { params: { taskId } });
    for (const phone of phones) this.world.accepted.add(phone);
    return task;
  }

  look(taskId: string): Promise<TaskDetail> {
    return this.call('GET /tasks/:taskId', { params: { taskId } });
  }

  async untilStatus(taskId: string, status: TaskStatus, timeoutMs = patience(90_000)): Promise<TaskDetail> {
    let last: TaskDetail | null = null;
    return until(
      async () => {
        // An api that is being started again refuses connections for a moment.
        last = await this.look(taskId);
        return last.taskStatus === status && last;
      },
      { timeoutMs, everyMs: 50, what: `status ${status} of the task` },
    ).catch((error: unknown) => {
      throw new Error(`the task is in ${last?.taskStatus} (${last?.statusReason})`, { cause: error });
    });
  }

  /** Until nothing of the task moves any more: it is completed or terminated, and all counted. */
  async untilEnded(taskId: string, status: TaskStatus): Promise<TaskDetail> {
    await this.untilStatus(taskId, status);
    await until(async () => (await this.look(taskId)).endTime !== null, { timeoutMs: patience(30_000) });
    await this.world.untilQuiet();
    return this.look(taskId);
  }
}

export interface Staffed {
  readonly world: World;
  readonly journey: Journey;
  readonly api: Program;
  readonly jobs: Program;
  readonly sender: Program;
}

/** A world in which all roles run, each a process, and a customer is at work. */
export const makeStaffedWorld = async (t: TestContext, options: WorldOptions = {}): Promise<Staffed> =>
  staff(await World.make(t, options));

/** `env`: more for each of the processes. */
export async function staff(world: World, env: Record<string, string> = {}): Promise<Staffed> {
  const jobs = world.run('jobs', env);
  const [{ program: api, url }, { program: sender }] = await Promise.all([world.startApi(env), world.startSender(env)]);
  return { world, journey: await Journey.begin(world, url), api, jobs, sender };
}

export interface Prepared {
  readonly taskId: string;
  readonly phones: readonly string[];
}

/** A file of phones with two values each. */
export const phoneFile = (phones: readonly string[]): Buffer =>
  Buffer.from(['mobile,name,order', ...phones.map((phone, n) => `${phone},Name ${n},PX-${n}`)].join('\n'));

/** The text that the n-th phone of a file is sent. */
export const textOf = (n: number): string => `Hi Name ${n}, order PX-${n} is ready.`;
