/** After the database was restored from a backup: what is unsure, and what a person decides about it. */
import { z } from 'zod';
import { Role, SmsType } from './enums.ts';
import { route } from './route.ts';
import { count, instant, numeric, uuid } from './shapes.ts';

export const RestoreDecision = { release: 'release', hold: 'hold' } as const;
export type RestoreDecision = (typeof RestoreDecision)[keyof typeof RestoreDecision];

const restoredLane = z.object({
  lane: z.enum(SmsType),
  /** Messages that were waiting in the backup; how many of them are settled by receipts, or otherwise, since. */
  unsureCount: count,
  settledCount: count,
  /** Messages that were in doubt in the backup; they stay so, whatever is decided. */
  doubtCount: count,
  /** Tasks whose recipients were not all messages in the backup: the rest of them may have been sent, too. */
  taskCount: count,
  /** Null: the lane is paused. */
  decision: z.enum(RestoreDecision).nullable(),
  decidedBy: z.string().nullable(),
  decidedTime: instant.nullable(),
});

const restore = z.object({
  restoreId: uuid,
  /** The state that came back. */
  backupTime: instant,
  restoredTime: instant,
  lanes: z.array(restoredLane),
});
export type Restore = z.output<typeof restore>;
export type RestoredLane = Restore['lanes'][number];

export const restoreRoutes = {
  'GET /restore': route({
    summary: 'The last restore of the database, until all of it is decided and carried out',
    access: [Role.Operator, Role.Admin] as const,
    response: z.object({ restore: restore.nullable() }),
  }),
  'POST /restores/:restoreId/lanes/:lane/decide': route({
    summary: 'Send what is still unsure of a lane, or leave it unconfirmed; the lane sends again',
    access: [Role.Admin] as const,
    params: z.strictObject({ restoreId: uuid, lane: numeric(z.enum(SmsType)) }),
    body: z.strictObject({ decision: z.enum(RestoreDecision) }),
    response: z.object({ restore: restore.nullable() }),
    errors: ['CONFLICT'],
  }),
};
