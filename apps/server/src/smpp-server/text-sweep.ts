import { listBoundAccounts } from '@pahatid/db/queries/smpp-binds';
import { BoundApplication } from './bound-application.ts';
import { sweepTexts } from './join-parts.ts';
import type { LiveBinds } from './live-binds.ts';
import type { ServeDeps } from './serve-session.ts';

const EVERY_MS = 5_000;

/** Settles long texts that are due, bound or not. */
export class TextSweep {
  private readonly live: LiveBinds;
  private readonly deps: ServeDeps;
  private readonly offsetMs: number;
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(live: LiveBinds, deps: ServeDeps, offsetMs: number) {
    this.live = live;
    this.deps = deps;
    this.offsetMs = offsetMs;
    this.schedule();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
    await this.running;
  }

  private schedule(): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      const { deps, offsetMs } = this;
      this.running = sweepTexts((appId) => this.find(appId), deps, deps.log, offsetMs)
        .catch((error: unknown) => deps.log.warn({ err: error }, 'long texts of software not read, will retry'))
        .then(() => this.schedule());
    }, EVERY_MS);
  }

  private async find(appId: string): Promise<BoundApplication | null> {
    const bound = this.live.applications.get(appId);
    if (bound !== undefined) return bound;
    const [account] = await listBoundAccounts(this.deps.control, [appId]);
    return account === undefined ? null : new BoundApplication(account);
  }
}
