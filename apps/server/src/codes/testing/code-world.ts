/** People with addresses and phones, a browser each, and the jobs by hand: what tests of codes and resets need. */
import { listMailTo, many, maybe, sql } from '@pahatid/db';
import { buildUser } from '@pahatid/db/builders';
import { registerAccount } from '../../features/account/routes.ts';
import { registerCodes } from '../../features/codes/routes.ts';
import { registerDevOutbox } from '../../features/dev-outbox/routes.ts';
import { registerPasswords } from '../../features/passwords/routes.ts';
import { registerTwoFactor } from '../../features/second-factors/authenticator-routes.ts';
import { registerSession } from '../../features/sign-in/routes.ts';
import { type Answer, type Ask, makeTestApi, type TestApi } from '../../http/testing/test-api.ts';
import type { Config } from '../../process/config.ts';
import type { JobContext } from '../../sending/job-context.ts';
import { answerCodeRequest } from '../answer-requests.ts';

/** Keeps the cookies it is given, as browsers do. */
export class Browser {
  private readonly jar = new Map<string, string>();
  private readonly api: TestApi;
  readonly ip: string;

  constructor(api: TestApi, ip: string) {
    this.api = api;
    this.ip = ip;
  }

  async ask(route: string, body?: unknown, input: Ask = {}): Promise<Answer> {
    const cookie = [...this.jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...input.headers, ...(cookie !== '' && { cookie }) };
    const answer = await this.api.ask(null, route, { ip: this.ip, ...input, body, headers });
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(String(line)) ?? [];
      if (value === '') this.jar.delete(name);
      else this.jar.set(name, value);
    }
    return answer;
  }
}

export interface Person {
  readonly userId: string;
  readonly account: string;
  readonly email: string;
  readonly msisdn: string;
}

export async function makeCodeWorld(config: Partial<Config> = {}) {
  const api = await makeTestApi({
    features: [
      registerSession,
      registerCodes,
      registerPasswords,
      registerAccount,
      registerTwoFactor,
      registerDevOutbox,
    ],
    config,
  });
  let offsetMs = 0;
  let people = 0;
  let browsers = 0;
  const jobs = (): JobContext => ({ pool: api.db.pool, log: api.deps.log, owner: 'test', offsetMs });

  return {
    api,
    pool: api.db.pool,
    jobs,
    advance(ms: number): void {
      offsetMs += ms;
      api.advance(ms);
    },
    /** Each with a separate address and network. */
    browser(): Browser {
      browsers += 1;
      return new Browser(api, `10.${browsers >> 8}.${browsers & 255}.7`);
    },
    /** Another one, of an address that others may share. */
    browserAt: (ip: string): Browser => new Browser(api, ip),
    async person(spec: Parameters<typeof buildUser>[1] = {}): Promise<Person> {
      people += 1;
      const email = `person-${people}@pahatid.test`;
      const msisdn = `6391755${String(people).padStart(5, '0')}`;
      const user = await buildUser(api.db.pool, { customerId: api.customerId, role: 'member', email, msisdn, ...spec });
      return { ...user, email, msisdn };
    },
    /** Processes all waiting requests. */
    async work(): Promise<void> {
      while (await answerCodeRequest(jobs(), api.deps.secrets));
    },
    async mailTo(email: string) {
      return listMailTo(api.db.pool, email, 50);
    },
    async codeOf(email: string): Promise<string> {
      const [mail] = await listMailTo(api.db.pool, email, 1);
      return /\b\d{6}\b/.exec(mail?.bodyText ?? '')?.[0] ?? '';
    },
    async smsTo(msisdn: string): Promise<string[]> {
      const rows = await many<{ content: string }>(
        api.db.pool,
        sql`select content from own_sms where msisdn = ${msisdn} order by sms_id desc`,
      );
      return rows.map(({ content }) => content);
    },
    async smsCodeOf(msisdn: string): Promise<string> {
      const row = await maybe<{ content: string }>(
        api.db.pool,
        sql`select content from own_sms where msisdn = ${msisdn} and content ~ '[0-9]{6}' order by sms_id desc limit 1`,
      );
      return /\b\d{6}\b/.exec(row?.content ?? '')?.[0] ?? '';
    },
  };
}

/** A code that is not this one. */
export const otherThan = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
