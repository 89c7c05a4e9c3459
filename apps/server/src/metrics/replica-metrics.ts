import type { Replicas } from '@pahatid/db';
import { Gauge } from 'prom-client';
import { registry } from './registry.ts';

/** `null`: there are none, and so no values. */
export function watchReplicas(replicas: Replicas | null): void {
  new Gauge({
    name: 'pahatid_replica_lag_seconds',
    help: 'How far a replica is behind the leader, by its place in PAHATID_READ_URLS.',
    labelNames: ['replica'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [index, lagMs] of (replicas?.lags() ?? []).entries())
        if (lagMs !== null) this.set({ replica: String(index + 1) }, lagMs / 1_000);
    },
  });
}
