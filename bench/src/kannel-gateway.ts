/** Kannel as packaged by Debian, with a separate configuration in a temporary folder. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cpuMs, freePort, until } from '@pahatid/testkit';

/** PATH of an ordinary user lacks the last two. */
const folders = [...(process.env['PATH'] ?? '').split(path.delimiter), '/usr/sbin', '/usr/local/sbin'];

const findProgram = (name: string): string | null => {
  for (const folder of folders) {
    try {
      const file = path.join(folder, name);
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // Not in this one.
    }
  }
  return null;
};

/** Returns both programs, or null if Kannel is not installed. */
export const findKannel = (): { bearerbox: string; smsbox: string } | null => {
  const [bearerbox, smsbox] = [findProgram('bearerbox'), findProgram('smsbox')];
  return bearerbox === null || smsbox === null ? null : { bearerbox, smsbox };
};

const isOpen = async (port: number): Promise<boolean> => {
  const socket = connect({ port, host: '127.0.0.1' });
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
};

export class KannelGateway {
  readonly sendPort: number;
  private readonly folder: string;
  private readonly boxes: ChildProcess[] = [];
  private readonly adminPort: number;

  private constructor(folder: string, ports: { admin: number; send: number }) {
    this.folder = folder;
    this.adminPort = ports.admin;
    this.sendPort = ports.send;
  }

  /** File store, `binds` transceivers with `window` unanswered submits each. */
  static async start(
    programs: { bearerbox: string; smsbox: string },
    of: { smppPort: number; binds: number; window: number },
  ): Promise<KannelGateway> {
    const folder = mkdtempSync(path.join(tmpdir(), 'pahatid-kannel-'));
    const ports = { admin: await freePort(), boxes: await freePort(), send: await freePort() };
    const file = path.join(folder, 'kannel.conf');
    writeFileSync(file, configuration(folder, ports, of));
    const gateway = new KannelGateway(folder, ports);
    try {
      await gateway.run(programs.bearerbox, file);
      await until(async () => await isOpen(ports.boxes), { timeoutMs: 10_000, what: 'bearerbox' });
      await gateway.run(programs.smsbox, file);
      await until(async () => await isOpen(ports.send), { timeoutMs: 10_000, what: 'smsbox' });
      await until(async () => (await gateway.onlineBinds()) === of.binds, { timeoutMs: 20_000, what: 'the binds' });
    } catch (error) {
      const said = gateway.log();
      await gateway.stop();
      throw new Error(`Kannel did not start: ${said}`, { cause: error });
    }
    return gateway;
  }

  /** Of bearerbox and smsbox together. */
  cpuMs(): number {
    return this.boxes.reduce((sum, { pid }) => sum + cpuMs(pid ?? 0), 0);
  }

  async stop(): Promise<void> {
    for (const box of this.boxes.toReversed()) {
      if (box.exitCode !== null || box.signalCode !== null) continue;
      const exited = once(box, 'exit');
      box.kill('SIGTERM');
      const overdue = setTimeout(() => box.kill('SIGKILL'), 5_000);
      await exited;
      clearTimeout(overdue);
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async run(program: string, file: string): Promise<void> {
    const box = spawn(program, ['-v', '4', file], { stdio: 'ignore', cwd: this.folder });
    this.boxes.push(box);
    await once(box, 'spawn');
  }

  private async onlineBinds(): Promise<number> {
    const response = await fetch(`http://127.0.0.1:${this.adminPort}/status.xml?password=bench`);
    return (await response.text()).match(/<status>online/g)?.length ?? 0;
  }

  private log(): string {
    try {
      return readFileSync(path.join(this.folder, 'bearerbox.log'), 'utf8').split('\n').slice(-5).join(' ');
    } catch {
      return 'it wrote no log';
    }
  }
}

const configuration = (
  folder: string,
  ports: { admin: number; boxes: number; send: number },
  { smppPort, binds, window }: { smppPort: number; binds: number; window: number },
): string => {
  const group = (name: string, values: Record<string, string | number>): string =>
    [`group = ${name}`, ...Object.entries(values).map(([key, value]) => `${key} = ${value}`), ''].join('\n');
  // One name for all binds: Kannel looks a receipt up by it, and a carrier sends receipts over any bind.
  const smsc = (): string =>
    group('smsc', {
      smsc: 'smpp',
      'smsc-id': 'carrier',
      host: '127.0.0.1',
      port: smppPort,
      'transceiver-mode': 'true',
      'smsc-username': 'globe',
      'smsc-password': 'globepw',
      'system-type': '""',
      'max-pending-submits': window,
    });
  return [
    group('core', {
      'admin-port': ports.admin,
      'admin-password': 'bench',
      'status-password': 'bench',
      'smsbox-port': ports.boxes,
      'box-allow-ip': '127.0.0.1',
      'log-file': path.join(folder, 'bearerbox.log'),
      'log-level': 3,
      'dlr-storage': 'internal',
      'store-type': 'file',
      'store-location': path.join(folder, 'kannel.store'),
    }),
    ...Array.from({ length: binds }, smsc),
    group('smsbox', {
      'bearerbox-host': '127.0.0.1',
      'sendsms-port': ports.send,
      'log-file': path.join(folder, 'smsbox.log'),
      'log-level': 3,
    }),
    group('sendsms-user', { username: 'bench', password: 'bench', 'max-messages': 10, concatenation: 'true' }),
    group('sms-service', { keyword: 'default', text: '""', 'max-messages': 0 }),
  ].join('\n');
};
