/** The engine's store, timed. */
import { ClientStatus, SendStatus } from '@pahatid/contract/enums';
import type { Change, SendStore } from '@pahatid/engine';
import { getTraces } from '../traces/message-traces.ts';
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
    const beganMs = Date.now();
    try {
      const outcome = await store.commit(flush);
      end();
      flushMessages.observe(flush.changes.length);
      if (getTraces() !== null) getTraces()?.received(flush.changes.filter(isReceipt).map(toReceipt), beganMs);
      return outcome;
    } catch (error) {
      flushFailures.inc();
      throw error;
    }
  },
});

/** Of a message in memory: the carrier said more than that it took it. */
const isReceipt = ({ before, after }: Change): boolean =>
  after.sendStatus === SendStatus.Successful &&
  after.clientStatus !== before.clientStatus &&
  after.clientStatus !== ClientStatus.Submitted;

const toReceipt = ({ batch, message, after, carrierCode }: Change) => ({
  messageId: batch.batchId + BigInt(message.position),
  clientStatus: after.clientStatus,
  carrierCode,
});
