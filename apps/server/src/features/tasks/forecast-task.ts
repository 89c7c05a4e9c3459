/** How fast a task would go now, and how that is known. */
import type { TaskEstimate, TaskSpeed } from '@pahatid/contract';
import { findMeasuredTask, listSupplierLimits } from '@pahatid/db/queries/task-figures';
import { limitSpeed, measureSpeed } from '@pahatid/domain';
import type { Pool } from 'pg';
import type { RoutingTable } from '../../sending/route/routing-table.ts';

/** A task that is over in a moment gives no evidence of the speed of a large one. */
const forecastCount = 1_000;

interface Forecast {
  readonly customerId: string;
  readonly smsType: number;
  readonly carriers: TaskEstimate['carriers'];
  /** The task itself, which does not delay itself. */
  readonly taskId: string | null;
}

export async function forecastSpeed(pool: Pool, routing: RoutingTable, task: Forecast): Promise<TaskSpeed | null> {
  const { customerId, smsType, taskId } = task;
  const loads = task.carriers.map((one) => ({
    recipients: one.recipients,
    segments: one.segments,
    routes: routing.choose({ areaCode: one.areaCode, carrier: one.carrier, smsType }).routes,
  }));
  const supplierIds = [...new Set(loads.flatMap(({ routes }) => routes.map((route) => route.supplierId)))];
  const rows = await listSupplierLimits(pool, supplierIds, taskId);
  const limit = limitSpeed(loads, new Map(rows.map((row) => [row.supplierId, row])));
  if (limit === null) return null;
  const othersCount = Math.max(0, ...rows.map((row) => row.others));
  const last = await findMeasuredTask(pool, customerId, forecastCount);
  const measured = last === null ? null : measureSpeed(last.minutes, last.spanS);
  if (last !== null && measured !== null && measured < limit)
    return {
      perSecond: rounded(measured),
      basis: 'measured',
      taskName: last.taskName,
      measuredTime: last.startedAt.toISOString(),
      othersCount,
    };
  return { perSecond: rounded(limit), basis: 'limit', taskName: null, measuredTime: null, othersCount };
}

const rounded = (value: number): number => Math.max(0.1, Math.round(value * 10) / 10);
