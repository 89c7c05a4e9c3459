/** Fair turns across customers, so that one with a million messages delays no other. */
import type { Waiting } from './ports.ts';

/**
 * Lower lanes first: verification, notification, marketing. Within a lane, the customer with the least in progress on an
 * account, then the one that waited longest.
 */
export class FairChoice {
  private turn = 0;
  private readonly lastTurn = new Map<string, number>();

  /** The order in which waiting customers are served; `underWay`: messages that are claimed here, by `nameTurn`. */
  order(waiting: readonly Waiting[], underWay: ReadonlyMap<string, number>): Waiting[] {
    return waiting
      .map((each) => {
        const name = nameTurn(each);
        return { each, load: underWay.get(name) ?? 0, last: this.lastTurn.get(name) ?? -1 };
      })
      .sort((a, b) => a.each.lane - b.each.lane || a.load - b.load || a.last - b.last)
      .map(({ each }) => each);
  }

  served(waiting: Waiting): void {
    this.turn += 1;
    this.lastTurn.set(nameTurn(waiting), this.turn);
    // A customer served long ago and one never served are equivalent.
    if (this.lastTurn.size > 10_000) this.lastTurn.clear();
  }
}

export const nameTurn = ({ customerId, lane, supplierId }: Waiting): string => `${lane} ${supplierId} ${customerId}`;
