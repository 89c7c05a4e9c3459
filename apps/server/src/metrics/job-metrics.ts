import { Counter, Histogram } from 'prom-client';
import { registry } from './registry.ts';

export const jobDuration = new Histogram({
  name: 'pahatid_job_duration_seconds',
  help: 'Time of one iteration of a job, those that found nothing to do included.',
  labelNames: ['job'],
  buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
  registers: [registry],
});

export const jobFailures = new Counter({
  name: 'pahatid_job_failures_total',
  help: 'Iterations of a job that failed; each is tried again.',
  labelNames: ['job'],
  registers: [registry],
});

export const staffAlarms = new Counter({
  name: 'pahatid_staff_alarms_total',
  help: 'Alarms for staff about accounts, personal data and receipts; at most one an hour for each subject.',
  labelNames: ['kind'],
  registers: [registry],
});

export const callbackTries = new Counter({
  name: 'pahatid_callback_tries_total',
  help: "Requests to customers' addresses, by how they went: delivered, or why they failed.",
  labelNames: ['result'],
  registers: [registry],
});
