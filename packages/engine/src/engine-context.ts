/** What the parts of one engine share. */
import type { Clock } from './clock.ts';
import type { EngineEvents, EngineSettings } from './engine-settings.ts';
import type { Holdings } from './holdings.ts';
import type { Pending } from './pending.ts';
import type { SendStore } from './ports.ts';

export interface EngineContext {
  readonly store: SendStore;
  readonly clock: Clock;
  readonly settings: EngineSettings;
  readonly events: EngineEvents;
  readonly holdings: Holdings;
  readonly pending: Pending;
  /** `stopping`: nothing more is claimed or granted. `ended`: nothing more is done at all. */
  readonly life: { stopping: boolean; ended: boolean };
  /** Something happened after which it may be time to flush. */
  consider(): void;
  /** New work may be there. */
  wake(): void;
}
