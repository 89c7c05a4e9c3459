import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChargeType, ClientStatus, SendStatus } from '@pahatid/contract/enums';
import fc from 'fast-check';
import { countChange, countRow } from './count-change.ts';
import { FairChoice, nameTurn } from './fair-choice.ts';
import { flushAt } from './flush-policy.ts';
import { allPartsDelivered, mergeChange, partBit } from './merge-change.ts';
import type { RowState } from './ports.ts';

const row = fc.record({
  sendStatus: fc.constantFrom(...Object.values(SendStatus)),
  clientStatus: fc.constantFrom(...Object.values(ClientStatus)),
});

test('changes in any number of steps count as one from the first row to the last', () => {
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 2, maxLength: 6 }),
      fc.integer({ min: 1, max: 9 }),
      fc.constantFrom(...Object.values(ChargeType)),
      (rows, pkgTotal, chargeType) => {
        const priced = { pkgTotal, price: 3_500, chargeType };
        const sums = rows.slice(1).map((after, index) => countChange(rows[index]!, after, priced));
        const whole = countChange(rows[0]!, rows.at(-1)!, priced);
        for (const key of Object.keys(whole) as (keyof typeof whole)[]) {
          assert.equal(
            sums.reduce((sum, each) => sum + each[key], 0),
            whole[key],
            key,
          );
        }
      },
    ),
  );
});

test('SenderPays is charged when accepted, ReceiverPays when delivered', () => {
  const accepted: RowState = { sendStatus: 3, clientStatus: 1 };
  const delivered: RowState = { sendStatus: 3, clientStatus: 2 };
  const charged = (state: RowState, chargeType: ChargeType): number =>
    countRow(state, { pkgTotal: 2, price: 10, chargeType }).charged;
  assert.equal(charged(accepted, 'SenderPays'), 20);
  assert.equal(charged(accepted, 'ReceiverPays'), 0);
  assert.equal(charged(delivered, 'ReceiverPays'), 20);
  assert.equal(charged({ sendStatus: 2, clientStatus: 5 }, 'SenderPays'), 0);
});

test('an outcome once known is never taken back, and merging twice is merging once', () => {
  fc.assert(
    fc.property(row, row, (current, wanted) => {
      const merged = mergeChange(current, wanted);
      if (current.sendStatus >= 2) assert.equal(merged.sendStatus, current.sendStatus);
      assert.ok(merged.sendStatus !== 0 || current.sendStatus === 0);
      assert.deepEqual(mergeChange(merged, wanted), merged);
    }),
  );
  const undelivered: RowState = { sendStatus: 3, clientStatus: ClientStatus.Undelivered };
  assert.equal(mergeChange(undelivered, { sendStatus: 3, clientStatus: 2 }).clientStatus, 2);
  assert.equal(mergeChange(undelivered, { sendStatus: 3, clientStatus: 6 }), undelivered);
  const refused: RowState = { sendStatus: 2, clientStatus: 5 };
  assert.equal(mergeChange(refused, { sendStatus: 3, clientStatus: 2 }), refused);
});

test('a message is delivered when all its parts are, in any order, each counted once', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 31 }), fc.array(fc.integer({ min: 1, max: 31 })), (parts, receipts) => {
      const ours = receipts.filter((part) => part <= parts);
      const bits = ours.reduce((sum, part) => sum | partBit(part), 0);
      assert.equal(allPartsDelivered(bits, parts), new Set(ours).size === parts);
    }),
  );
});

test('customers take turns: least in progress first, codes before all else', () => {
  const fair = new FairChoice();
  const waiting = [
    { customerId: 'giant', lane: 3, supplierId: 'a' },
    { customerId: 'small', lane: 3, supplierId: 'a' },
    { customerId: 'giant', lane: 1, supplierId: 'a' },
  ] as const;
  const order = fair.order(waiting, new Map([[nameTurn(waiting[0]), 5_000]]));
  assert.deepEqual(
    order.map(({ customerId, lane }) => `${customerId}${lane}`),
    ['giant1', 'small3', 'giant3'],
  );
  fair.served(waiting[0]);
  assert.equal(fair.order(waiting.slice(0, 2), new Map())[0]!.customerId, 'small');
});

test('a flush runs immediately if that releases a waiting message, otherwise results accumulate', () => {
  const view = { pending: 0, pendingSince: 100, grantableSince: null, ahead: false, urgent: false, loaded: false };
  assert.equal(flushAt(view, 100), null);
  assert.equal(flushAt({ ...view, pending: 1 }, 100), 150);
  assert.equal(flushAt({ ...view, pending: 1, loaded: true }, 100), 350);
  assert.equal(flushAt({ ...view, pending: 2_000 }, 100), 100);
  assert.equal(flushAt({ ...view, grantableSince: 100 }, 100), 350);
  assert.equal(flushAt({ ...view, grantableSince: 100, ahead: true }, 100), 150);
  assert.equal(flushAt({ ...view, grantableSince: 100, urgent: true }, 100), 100);
});
