/**
 * The binds of this process: a slot of each application is taken in the database before a bind is accepted, and given back
 * when the session ends. The slots are held by a lease of the process. What users see of a bind, and what they and staff
 * change about its application, passes through here every few seconds.
 */
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { isPassing, uuidV7, withTransaction } from '@pahatid/db';
import {
  deleteSmppBinds,
  deleteSmppProcess,
  insertSmppBind,
  listBoundAccounts,
  listSmppProcesses,
  type NewSmppBind,
  renewSmppProcess,
  retakeSmppBind,
  type SmppAccount,
  type SmppBindUse,
  saveSmppBindUse,
  sweepSmppBinds,
} from '@pahatid/db/queries/smpp-binds';
import type { BindRequest } from '@pahatid/smpp';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { smppBinds } from '../metrics/smpp-metrics.ts';
import { BoundApplication, type LiveBind, type Session } from './bound-application.ts';
import { findProblem } from './decide-bind.ts';

/** A dead process frees its slots after this: less than a dead client, whose enquire_link takes 40 s. */
const LEASE_MS = 20_000;
const EVERY_MS = 2_000;

export interface LiveBindsOptions {
  readonly control: Pool;
  readonly log: Logger;
  readonly isDemo: boolean;
}

export class LiveBinds {
  readonly applications = new Map<string, BoundApplication>();
  private readonly options: LiveBindsOptions;
  private readonly owner = uuidV7();
  private readonly process = { owner: this.owner, machine: nameMachine(), pid: process.pid };
  private readonly binds = new Map<string, LiveBind>();
  /** Slots to be given back. */
  private ended: string[] = [];
  private renewedAtMs = performance.now();
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(options: LiveBindsOptions) {
    this.options = options;
  }

  async start(): Promise<void> {
    const { control } = this.options;
    // A process that was killed on this machine needs no lease to end.
    for (const { owner, pid } of await listSmppProcesses(control, this.process.machine))
      if (!isAlive(pid)) await deleteSmppProcess(control, owner);
    await renewSmppProcess(control, this.process, LEASE_MS);
    await sweepSmppBinds(control);
    this.schedule();
  }

  get size(): number {
    return this.binds.size;
  }

  /** Takes a slot; null: the application has no free one. */
  async take(account: SmppAccount, { mode, clientIp, clientPort, isTls }: BindRequest): Promise<NewSmppBind | null> {
    const { customerId, appId } = account;
    const slot = { bindId: uuidV7(), customerId, appId, owner: this.owner, mode, clientIp, clientPort, isTls };
    return (await withTransaction(this.options.control, (tx) => insertSmppBind(tx, slot))) ? slot : null;
  }

  add(slot: NewSmppBind, account: SmppAccount, session: Session): LiveBind {
    const { bindId } = slot;
    const application = this.applications.get(account.appId) ?? new BoundApplication(account);
    this.applications.set(account.appId, application);
    const counts = { open: 0, submits: 0, lastStatus: null, lastStatusMs: null, reported: '' };
    const bind: LiveBind = { bindId, slot, session, application, ...counts };
    application.binds.add(bind);
    application.share();
    this.binds.set(bindId, bind);
    smppBinds.inc({ mode: session.mode });
    return bind;
  }

  /** Also of a slot that no session came to use. */
  end(bindId: string): void {
    this.ended.push(bindId);
    const bind = this.binds.get(bindId);
    if (bind === undefined) return;
    this.binds.delete(bindId);
    const { application, session } = bind;
    application.binds.delete(bind);
    smppBinds.dec({ mode: session.mode });
    if (application.binds.size === 0) this.applications.delete(application.account.appId);
    // The next bind of this peer comes immediately, and may need the slot.
    void this.freeSlots();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
    await this.running;
    await deleteSmppProcess(this.options.control, this.owner);
  }

  private schedule(): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.running = this.step()
        .catch((error: unknown) => {
          this.options.log.warn({ err: error }, 'binds of software not renewed, will retry');
        })
        .then(() => this.schedule());
    }, EVERY_MS);
  }

  private async step(): Promise<void> {
    const { control } = this.options;
    const lapsed = performance.now() - this.renewedAtMs > LEASE_MS;
    await renewSmppProcess(control, this.process, LEASE_MS);
    this.renewedAtMs = performance.now();
    await sweepSmppBinds(control);
    await this.freeSlots();
    if (lapsed) await this.retakeSlots();
    const uses = this.listUses();
    for (const bindId of await saveSmppBindUse(control, this.owner, uses)) await this.close(bindId, 'a user closed it');
    await this.updateAccounts();
  }

  private async freeSlots(): Promise<void> {
    const ended = this.ended;
    if (ended.length === 0) return;
    this.ended = [];
    try {
      await deleteSmppBinds(this.options.control, ended);
    } catch (error) {
      this.ended.push(...ended);
      if (!isPassing(error)) throw error;
    }
  }

  /** The lease had ended, so others may have the slots: binds without one are closed. */
  private async retakeSlots(): Promise<void> {
    const { control, log } = this.options;
    for (const bind of [...this.binds.values()]) {
      const isTaken = await withTransaction(control, (tx) => retakeSmppBind(tx, bind.slot));
      if (isTaken) continue;
      log.warn({ appId: bind.slot.appId }, 'bind of software ended, its slot was lost while the database was away');
      void this.close(bind.bindId, 'its slot was lost');
    }
  }

  /** Of binds whose use changed. */
  private listUses(): SmppBindUse[] {
    const uses: SmppBindUse[] = [];
    for (const bind of this.binds.values()) {
      const { bindId, open, submits, lastStatus, lastStatusMs } = bind;
      const submitRate = Math.round((submits * 1_000) / EVERY_MS);
      bind.submits = 0;
      const reported = `${open} ${submitRate} ${lastStatusMs}`;
      if (reported === bind.reported || (bind.reported === '' && reported === '0 0 null')) continue;
      bind.reported = reported;
      uses.push({ bindId, windowUsed: open, submitRate, lastStatus, lastStatusMs });
    }
    return uses;
  }

  /** Binds that their application may not have any more are unbound. */
  private async updateAccounts(): Promise<void> {
    const { control, isDemo, log } = this.options;
    if (this.applications.size === 0) return;
    for (const account of await listBoundAccounts(control, [...this.applications.keys()])) {
      const application = this.applications.get(account.appId);
      if (application === undefined) continue;
      application.update(account);
      for (const bind of application.binds) {
        const reason = findProblem(account, bind.slot.clientIp, isDemo);
        if (reason === null) continue;
        log.info({ appId: account.appId, reason }, 'bind of software ended, it is not allowed any more');
        void this.close(bind.bindId, reason);
      }
    }
  }

  private async close(bindId: string, why: string): Promise<void> {
    const bind = this.binds.get(bindId);
    if (bind === undefined) return;
    await bind.session.stop(1_000).catch(() => bind.session.close(why));
  }
}

/** The space in which a number of a process is that process: containers may share a host's name. */
function nameMachine(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
