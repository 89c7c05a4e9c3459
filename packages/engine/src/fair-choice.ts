/** Fair turns across customers, so that one with a million messages delays no other. */
import type { SmsType } from '@pahatid/contract';
import type { Waiting } from './ports.ts';

/**
 * Lower lanes first: verification, notification, marketing. Within a lane, the customer with the least in progress,
 * then the one that waited longest.
 */
export class FairChoice {
  private turn = 0;
  private readonly lastTurn = new Map<string, number>();

  /** The order in which waiting customers are served; `underWay`: messages of a customer in a lane that are claimed here. */
  order(waiting: readonly Waiting[], underWay: (customerId: string, lane: SmsType) => number): Waiting[] {
    return waiting
      .map((each) => ({
        each,
        load: underWay(each.customerId, each.lane),
        last: this.lastTurn.get(`${each.lane}${each.customerId}`) ?? -1,
      }))
      .sort((a, b) => a.each.lane - b.each.lane || a.load - b.load || a.last - b.last)
      .map(({ each }) => each);
  }

  served({ customerId, lane }: Waiting): void {
    this.turn += 1;
    this.lastTurn.set(`${lane}${customerId}`, this.turn);
    // A customer served long ago and one never served are equivalent.
    if (this.lastTurn.size > 10_000) this.lastTurn.clear();
  }
}
