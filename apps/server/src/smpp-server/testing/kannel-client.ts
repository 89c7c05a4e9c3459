/** Kannel, where it is installed, as a customer's software: two binds, and messages over the HTTP interface of its smsbox. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import path from 'node:path';
import { freePort, requestStatus, until } from '@pahatid/testkit';

const BEARERBOX = '/usr/sbin/bearerbox';
const SMSBOX = '/usr/sbin/smsbox';
export const hasKannel = existsSync(BEARERBOX) && existsSync(SMSBOX);
const CALLERS = 16;

export interface KannelOptions {
  /** For its configuration and logs. */
  readonly folder: string;
  readonly port: number;
  readonly systemId: string;
  readonly password: string;
  /** submit_sm without a response, of each bind. */
  readonly window: number;
}

export interface KannelClient {
  readonly pids: readonly number[];
  /** Hands over messages 0 to `count` - 1, each with the parameters of sendsms. */
  send(count: number, paramsOf: (n: number) => Record<string, string>): Promise<void>;
  stop(): Promise<void>;
}

export async function startKannel({ folder, port, systemId, password, window }: KannelOptions): Promise<KannelClient> {
  const ports = { admin: await freePort(), boxes: await freePort(), send: await freePort() };
  const file = path.join(folder, 'kannel.conf');
  const account = {
    smsc: 'smpp',
    'smsc-id': 'pahatid',
    host: '127.0.0.1',
    port,
    'transceiver-mode': 'true',
    'smsc-username': systemId,
    'smsc-password': password,
    'system-type': '""',
    'max-pending-submits': window,
  };
  writeFileSync(
    file,
    [
      group('core', {
        'admin-port': ports.admin,
        'admin-password': 'x',
        'status-password': 'x',
        'smsbox-port': ports.boxes,
        'box-allow-ip': '127.0.0.1',
        'log-file': path.join(folder, 'bearerbox.log'),
        'log-level': 1,
        'dlr-storage': 'internal',
      }),
      group('smsc', account),
      group('smsc', account),
      group('smsbox', {
        'bearerbox-host': '127.0.0.1',
        'sendsms-port': ports.send,
        'log-file': path.join(folder, 'smsbox.log'),
      }),
      group('sendsms-user', { username: 'x', password: 'x', 'max-messages': 10, concatenation: 'true' }),
      group('sms-service', { keyword: 'default', text: '""', 'max-messages': 0 }),
    ].join('\n'),
  );
  const boxes: ChildProcess[] = [];
  const run = async (program: string) => {
    const box = spawn(program, ['-v', '4', file], { stdio: 'ignore', cwd: folder });
    boxes.push(box);
    await once(box, 'spawn');
  };
  await run(BEARERBOX);
  const online = async () =>
    (await (await fetch(`http://127.0.0.1:${ports.admin}/status.xml?password=x`)).text()).match(/<status>online/g)
      ?.length;
  await until(async () => (await online()) === 2, { what: 'the binds of Kannel' });
  await run(SMSBOX);
  const isUp = async () => (await fetch(`http://127.0.0.1:${ports.send}/cgi-bin/sendsms`)).status > 0;
  await until(isUp, { what: 'smsbox' });
  const agent = new Agent({ keepAlive: true, maxSockets: CALLERS });
  return {
    pids: boxes.map(({ pid }) => pid ?? 0),
    async send(count, paramsOf) {
      let next = 0;
      const sendOn = async (): Promise<void> => {
        while (next < count) {
          const url = new URL(`http://127.0.0.1:${ports.send}/cgi-bin/sendsms`);
          url.search = new URLSearchParams({ username: 'x', password: 'x', ...paramsOf(next++) }).toString();
          const status = await requestStatus(agent, url.href);
          if (status !== 202) throw new Error(`smsbox answered ${status}`);
        }
      };
      await Promise.all(Array.from({ length: CALLERS }, sendOn));
    },
    async stop() {
      agent.destroy();
      for (const box of boxes.toReversed()) {
        const exited = once(box, 'exit');
        box.kill('SIGKILL');
        await exited;
      }
    },
  };
}

const group = (name: string, values: Record<string, string | number>): string =>
  [`group = ${name}`, ...Object.entries(values).map(([key, value]) => `${key} = ${value}`), ''].join('\n');
