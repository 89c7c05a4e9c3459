/** Metrics of the traffic between a sender and its carriers, measured between the engine and its links. */
import { readSubmitStatus, type SubmitClass } from '@pahatid/domain';
import { type CarrierLink, type LinkHandler, type Outgoing, SendingEngine, type Submission } from '@pahatid/engine';
import { Counter, Gauge, Histogram } from 'prom-client';
import { getTraces } from '../traces/message-traces.ts';
import { countBySupplier } from './count-by-supplier.ts';
import { registry } from './registry.ts';
import { supplierName } from './supplier-names.ts';

/** Responses by class, in a plain object: this runs for every message. */
type Answers = Partial<Record<SubmitClass, number>>;

const links = new Map<string, CarrierLink>();
let engine: SendingEngine | null = null;
const answers = new Map<string, Answers>();

new Counter({
  name: 'pahatid_submit_responses_total',
  help: 'Answers of carriers to submit_sm, by what they mean: accepted, throttled, queueFull, temporary, permanent, bindFatal.',
  labelNames: ['supplier', 'class'],
  registers: [registry],
  collect() {
    this.reset();
    for (const [supplierId, counts] of answers)
      for (const [name, count] of Object.entries(counts))
        this.inc({ supplier: supplierName(supplierId), class: name }, count);
  },
});

const responseTime = new Histogram({
  name: 'pahatid_submit_response_seconds',
  help: 'Time from writing a submit_sm to its answer.',
  labelNames: ['supplier'],
  buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 60],
  registers: [registry],
});

const countUnanswered = countBySupplier(
  'pahatid_submit_unanswered_total',
  'submit_sm without an answer: none in time, or the session ended first.',
);
const countReceipt = countBySupplier(
  'pahatid_receipts_received_total',
  'Receipts that carriers sent, repeated ones included.',
);
const countText = countBySupplier(
  'pahatid_inbound_texts_total',
  'Texts from phones that carriers sent, joined from their parts.',
);

function watchLinks(name: string, help: string, read: (link: CarrierLink) => number): void {
  new Gauge({
    name,
    help,
    labelNames: ['supplier'],
    registers: [registry],
    collect() {
      this.reset();
      for (const link of links.values()) this.set({ supplier: supplierName(link.supplierId) }, read(link));
    },
  });
}

const bindsOf = (link: CarrierLink): readonly { state: string }[] =>
  'bindStates' in link && Array.isArray(link.bindStates) ? link.bindStates : [];

watchLinks('pahatid_binds_wanted', 'Binds that this process is to keep up.', (link) => bindsOf(link).length);
watchLinks(
  'pahatid_binds_up',
  'Binds that are up now.',
  (link) => bindsOf(link).filter(({ state }) => state === 'bound').length,
);
const breakerLevels: Readonly<Record<string, number>> = { closed: 0, halfOpen: 1, open: 2 };
watchLinks('pahatid_breaker_state', 'Breaker of the account: 0 closed, 1 half-open, 2 open.', (link) =>
  'breakerState' in link ? (breakerLevels[String(link.breakerState)] ?? 0) : 0,
);
watchLinks(
  'pahatid_window_slots',
  'submit_sm that may be unanswered on all binds of this process.',
  (link) => link.binds.length * link.windowSize,
);
watchLinks('pahatid_window_used', 'submit_sm that are unanswered.', (link) =>
  link.binds.reduce((sum, bind) => sum + Math.max(0, link.windowSize - bind.freeSlots), 0),
);
watchLinks(
  'pahatid_granted_ahead',
  'Segments whose intent is committed and that are not written: in doubt after a crash, like those in the windows.',
  ({ supplierId }) => engine?.loadOn(supplierId).ready ?? 0,
);
watchLinks('pahatid_pace_limit', "Segments a second: this process's share of the account's rate.", (link) => link.tps);

/** The engine, with its links listened in on. */
export class MeteredEngine extends SendingEngine {
  override addLink(link: CarrierLink): void {
    engine = this;
    links.set(link.supplierId, link);
    const attach = link.attach.bind(link);
    link.attach = (handler) => attach(meterHandler(link, handler));
    super.addLink(link);
  }
}

function meterHandler(link: CarrierLink, handler: LinkHandler): LinkHandler {
  const { supplierId } = link;
  const counts: Answers = answers.get(supplierId) ?? {};
  answers.set(supplierId, counts);
  return {
    onResponse(submission, status, carrierMessageId, issuedId) {
      const name = readSubmitStatus(status, link.statusClasses).class;
      counts[name] = (counts[name] ?? 0) + 1;
      responseTime.observe({ supplier: supplierName(supplierId) }, (performance.now() - submission.sentAt) / 1_000);
      if (getTraces() !== null) traceSubmission(supplierId, submission, status);
      handler.onResponse(submission, status, carrierMessageId, issuedId);
    },
    onUnknown(submission) {
      countUnanswered(supplierId);
      if (getTraces() !== null) traceSubmission(supplierId, submission, null);
      handler.onUnknown(submission);
    },
    onRoom: () => handler.onRoom(),
    onReceipt(receipt, acknowledge) {
      if (receipt.isQueried !== true) countReceipt(supplierId);
      handler.onReceipt(receipt, acknowledge);
    },
    onInbound(text, acknowledge) {
      // Once, by the part that each has.
      if (text.part === null || text.part.sequence === 1) countText(supplierId);
      handler.onInbound(text, acknowledge);
    },
  };
}

/** The engine hands a link the messages that it gets back here. */
function traceSubmission(supplierId: string, submission: Submission, status: number | null): void {
  const { batch, message } = submission.message as Outgoing;
  getTraces()?.submitted({
    messageId: batch.claimed.batchId + BigInt(message.position),
    supplier: supplierName(supplierId),
    lane: batch.claimed.lane,
    part: submission.part,
    status,
    tookMs: performance.now() - submission.sentAt,
  });
}
