/** What the supervisor knows of the processes it keeps. */
import { Counter, Gauge } from 'prom-client';
import { registry } from '../metrics/registry.ts';
import type { SupervisedChild } from './keep-running.ts';
import { readVersion } from './version.ts';

/** Adds the metrics to this process. Once a process. */
export function watchMachine(kept: () => readonly SupervisedChild[], databaseRestarts: () => number): void {
  new Gauge({
    name: 'pahatid_release',
    help: 'Always 1; the label is the version of the program.',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version: readVersion() }, 1);
  new Gauge({
    name: 'pahatid_process_up',
    help: '1 while the process serves, 0 while it starts or waits to be started.',
    labelNames: ['child'],
    registers: [registry],
    collect() {
      for (const each of kept()) this.set({ child: each.name }, each.state() === 'running' ? 1 : 0);
    },
  });
  new Counter({
    name: 'pahatid_process_restarts_total',
    help: 'How often the process was started again after it had ended by itself.',
    labelNames: ['child'],
    registers: [registry],
    collect() {
      this.reset();
      for (const each of kept()) this.inc({ child: each.name }, each.restarts());
    },
  });
  new Counter({
    name: 'pahatid_postgres_restarts_total',
    help: 'How often the embedded PostgreSQL was started again after it had gone by itself.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(databaseRestarts());
    },
  });
}
