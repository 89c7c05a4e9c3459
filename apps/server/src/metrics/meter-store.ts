/** The engine's store, timed. */
import type { SendStore } from '@pahatid/engine';
import {
  claimDuration,
  claimedBatches,
  flushDuration,
  flushFailures,
  flushMessages,
  LANE_NAMES,
} from './sending-metrics.ts';

export const meterStore = (store: SendStore): SendStore => ({
  findWaiting: (supplierIds) => store.findWaiting(supplierIds),
  renew: (batchIds) => store.renew(batchIds),
  findStopped: (others) => store.findStopped(others),
  async claim(request) {
    const end = claimDuration.startTimer();
    const outcome = await store.claim(request);
    end();
    for (const { lane } of outcome.batches) claimedBatches.inc({ lane: LANE_NAMES[lane - 1] ?? 'none' });
    return outcome;
  },
  async commit(flush) {
    const end = flushDuration.startTimer();
    try {
      const outcome = await store.commit(flush);
      end();
      flushMessages.observe(flush.changes.length);
      return outcome;
    } catch (error) {
      flushFailures.inc();
      throw error;
    }
  },
});
