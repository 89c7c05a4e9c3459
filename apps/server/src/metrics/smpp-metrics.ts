/** The SMPP server for customers' software. */
import { Counter, Gauge } from 'prom-client';
import { registry } from './registry.ts';

export const smppBinds = new Gauge({
  name: 'pahatid_smpp_binds',
  help: "Binds of customers' software that are open.",
  labelNames: ['mode'],
  registers: [registry],
});

export const smppBindRefusals = new Counter({
  name: 'pahatid_smpp_bind_refusals_total',
  help: "Binds of customers' software that were refused.",
  labelNames: ['reason'],
  registers: [registry],
});

export const smppAnswers = new Counter({
  name: 'pahatid_smpp_answers_total',
  help: "Requests of customers' software, by command and by the command_status of the response.",
  labelNames: ['command', 'status'],
  registers: [registry],
});

export const smppDelivered = new Counter({
  name: 'pahatid_smpp_deliveries_total',
  help: "Receipts and phones' texts that customers' software took, refused, or gets again.",
  labelNames: ['result'],
  registers: [registry],
});
