/**
 * Lanes of a kind of work: some take whatever comes, one takes small work alone, so that somebody's few rows never wait
 * behind somebody's million. Each lane does one thing at a time. Of one customer at most one large piece is under way,
 * whatever the number of processes. Within a lane customers take turns: whoever was served longest ago is next, however
 * much another customer has waiting.
 */
import type { ClaimOrder } from '@pahatid/db/queries/claim-order';

/** Customers remembered; one that was served before all of them counts as not served yet. */
const rememberedCustomers = 500;

export class Turns {
  /** The one that was served longest ago first. */
  #served: string[] = [];

  get served(): readonly string[] {
    return this.#served;
  }

  serve(customerId: string): void {
    this.#served = [...this.#served.filter((each) => each !== customerId), customerId].slice(-rememberedCustomers);
  }
}

export interface Lane {
  readonly turns: Turns;
  readonly smallOnly: boolean;
}

/** For what runs by itself: whatever waits longest. */
export const makeLane = (): Lane => ({ turns: new Turns(), smallOnly: false });

/** `mixed` lanes for work of any size, and one for small work. They share the turns. */
export function makeLanes(mixed: number): Lane[] {
  const turns = new Turns();
  return [...Array.from({ length: mixed }, () => ({ turns, smallOnly: false })), { turns, smallOnly: true }];
}

export const orderOf = ({ turns, smallOnly }: Lane): ClaimOrder => ({ served: turns.served, smallOnly });
