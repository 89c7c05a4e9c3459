/**
 * Lanes of a kind of work: some take any work, one takes only small work, so that one customer's few rows never wait
 * behind another's million. Each lane runs one piece at a time. Per customer at most one large piece is in progress,
 * whatever the number of processes. Within a lane customers take turns: the customer served longest ago is next,
 * however much another customer has waiting.
 */
import type { ClaimOrder } from '@pahatid/db/queries/claim-order';

/** Customers remembered; one that was served before all of them counts as not served yet. */
const rememberedCustomers = 500;

class Turns {
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

/** For work without a caller: longest waiting first. */
/**
 * Files and checks in progress concurrently in one process, in addition to one small one each. Reading a file uses one
 * core and up to 640 MB, whatever its size: an .xlsx of few bytes may expand to much.
 */
export const mixedLanes = 2;

export const makeLane = (): Lane => ({ turns: new Turns(), smallOnly: false });

/** `mixed` lanes for work of any size, and one for small work. They share the turns. */
export function makeLanes(mixed: number): Lane[] {
  const turns = new Turns();
  return [...Array.from({ length: mixed }, () => ({ turns, smallOnly: false })), { turns, smallOnly: true }];
}

export const toClaimOrder = ({ turns, smallOnly }: Lane): ClaimOrder => ({ served: turns.served, smallOnly });
