import type { AlarmKind } from '@pahatid/db/queries/staff-alarms';
import { staffAlarms } from '../../metrics/job-metrics.ts';
import type { JobList } from '../../sending/job-context.ts';
import { watchExports, watchLookUps, watchReceipts, watchSignIns } from './raise-alarms.ts';

const minuteMs = 60_000;

const kinds: Record<AlarmKind, true> = {
  passwordSpraying: true,
  bulkLookUps: true,
  unusualExports: true,
  ownerSignIn: true,
  receiptsUnmatched: true,
};

export const alarmJobs: JobList = ({ context, config: { alarms } }) => {
  // A counter that begins with its first alarm would hide it from `increase`.
  for (const kind of Object.keys(kinds)) staffAlarms.inc({ kind }, 0);
  return [
    { name: 'watchSignIns', everyMs: minuteMs, step: async () => void (await watchSignIns(context, alarms)) },
    { name: 'watchReceipts', everyMs: minuteMs, step: async () => void (await watchReceipts(context, alarms)) },
    // They read more rows, and a day of them is exported in minutes at best.
    { name: 'watchLookUps', everyMs: 5 * minuteMs, step: async () => void (await watchLookUps(context, alarms)) },
    { name: 'watchExports', everyMs: 5 * minuteMs, step: async () => void (await watchExports(context, alarms)) },
  ];
};
