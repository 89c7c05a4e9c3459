import { type SmsType, TaskStatus } from '@pahatid/contract/enums';
import { uuidV7 } from '../ids.ts';
import type { CheckFacts } from '../queries/task-checking.ts';
import { type Db, run, sql } from '../sql.ts';
import { unique } from './customers.ts';

export interface TaskSpec {
  customerId: string;
  taskName?: string;
  taskStatus: TaskStatus;
  appId?: string;
  templateId?: string;
  smsType?: SmsType;
  senderId?: string;
  fileId?: string;
  variables?: number[];
  content?: string;
  paused?: 0 | 1;
  demoHold?: boolean;
  statusReason?: string;
  statusNote?: string;
  planTime?: Date;
  totalCount?: number;
  nextBlock?: number;
  preparedCount?: number;
  prepared?: boolean;
  /** Per segment, 1/10,000 PHP. */
  price?: number;
  segmentsEach?: number;
  /** Result of its check, if the status comes after it. */
  checkFacts?: CheckFacts;
  createdBy?: string;
  createdAt?: Date;
  startedAt?: Date;
  endedAt?: Date;
}

/** Statuses on entry to which the text and the price are already frozen. */
const checked: readonly TaskStatus[] = [
  TaskStatus.ValidationPassed,
  TaskStatus.Confirmed,
  TaskStatus.Preparing,
  TaskStatus.Sending,
  TaskStatus.Completed,
  TaskStatus.Terminated,
  TaskStatus.PendingReview,
  TaskStatus.Rejected,
];
/** Statuses in which the estimated cost is reserved from the balance. */
const reserved: readonly TaskStatus[] = [
  TaskStatus.Confirmed,
  TaskStatus.Preparing,
  TaskStatus.Sending,
  TaskStatus.PendingReview,
];

/** Statuses that the program itself brings about. */
const ownSteps: readonly TaskStatus[] = [
  TaskStatus.ValidationPassed,
  TaskStatus.Preparing,
  TaskStatus.Sending,
  TaskStatus.Completed,
  TaskStatus.Failed,
];

/** Transitions that lead to a status, for the timeline. */
const wayTo = (status: TaskStatus): TaskStatus[] => {
  const { Draft, Initialized, ValidationPassed, Confirmed, Preparing, Sending, PendingReview, Cancelled } = TaskStatus;
  switch (status) {
    case Draft:
      return [Draft];
    case Initialized:
      return [Draft, Initialized];
    case TaskStatus.Failed:
      return [Draft, Initialized, TaskStatus.Failed];
    case ValidationPassed:
      return [Draft, Initialized, ValidationPassed];
    case Cancelled:
      return [Draft, Initialized, ValidationPassed, Cancelled];
    case PendingReview:
      return [Draft, Initialized, ValidationPassed, PendingReview];
    case TaskStatus.Rejected:
      return [Draft, Initialized, ValidationPassed, PendingReview, TaskStatus.Rejected];
    case Confirmed:
      return [Draft, Initialized, ValidationPassed, Confirmed];
    case Preparing:
      return [Draft, Initialized, ValidationPassed, Confirmed, Preparing];
    case Sending:
      return [Draft, Initialized, ValidationPassed, Confirmed, Preparing, Sending];
    case TaskStatus.Completed:
    case TaskStatus.Terminated:
      return [Draft, Initialized, ValidationPassed, Confirmed, Preparing, Sending, status];
  }
};

/** Builds a task in any of the twelve states, with its timeline and, if the state holds one, its reservation. */
export const buildTask = async (db: Db, spec: TaskSpec): Promise<string> => {
  const taskId = uuidV7(spec.createdAt?.getTime() ?? Date.now());
  const createdAt = spec.createdAt ?? new Date();
  const total = spec.totalCount ?? 0;
  const segments = total * (spec.segmentsEach ?? 1);
  const frozen = checked.includes(spec.taskStatus);
  const price = spec.price ?? 3500;
  await run(
    db,
    sql`insert into task (task_id, customer_id, task_name, sms_type, app_id, template_id, sender_id, file_id, mapping, plan_flag,
                          plan_time, task_status, paused, status_reason, status_note, demo_hold, template_version, content,
                          charge_type, price, file_generation, total_count, estimated_segments, estimated_cost, next_block,
                          prepared_count, prepared, created_by, created_at, submitted_at, confirmed_at, started_at, ended_at, check_facts)
        values (${taskId}, ${spec.customerId}, ${spec.taskName ?? unique('Task')}, ${spec.smsType ?? null}, ${spec.appId ?? null},
                ${spec.templateId ?? null}, ${spec.senderId ?? null}, ${spec.fileId ?? null},
                ${spec.variables ? JSON.stringify({ variables: spec.variables }) : null}, ${spec.planTime ? 1 : 0},
                ${spec.planTime ?? null}, ${spec.taskStatus}, ${spec.paused ?? 0}, ${spec.statusReason ?? null},
                ${spec.statusNote ?? null}, ${spec.demoHold ?? false}, ${frozen ? 1 : null}, ${frozen ? (spec.content ?? null) : null},
                ${frozen ? 'SenderPays' : null}, ${frozen ? price : null}, ${frozen && spec.fileId ? 1 : null}, ${total},
                ${frozen ? segments : null}, ${frozen ? segments * price : null}, ${spec.nextBlock ?? 0},
                ${spec.preparedCount ?? (spec.prepared ? total : 0)}, ${spec.prepared ?? false}, ${spec.createdBy ?? null}, ${createdAt}, ${createdAt},
                ${spec.startedAt ?? null}, ${spec.startedAt ?? null}, ${spec.endedAt ?? null},
                ${frozen && spec.checkFacts ? JSON.stringify(spec.checkFacts) : null})`,
  );
  const way = wayTo(spec.taskStatus);
  const start = createdAt.getTime();
  const end = (spec.endedAt ?? spec.startedAt ?? createdAt).getTime();
  for (const [index, status] of way.entries()) {
    const at = new Date(start + ((end - start) * index) / Math.max(1, way.length - 1) + index * 40);
    await run(
      db,
      sql`insert into task_event (task_id, event_id, customer_id, at, task_status, action, user_id, note)
          values (${taskId}, ${uuidV7(at.getTime())}, ${spec.customerId}, ${at}, ${status}, 'status',
                  ${ownSteps.includes(status) ? null : (spec.createdBy ?? null)}, ${index === way.length - 1 ? (spec.statusNote ?? null) : null})`,
    );
  }
  if (spec.paused === 1) {
    const at = new Date(end + 60_000);
    await run(
      db,
      sql`insert into task_event (task_id, event_id, customer_id, at, task_status, action, user_id)
          values (${taskId}, ${uuidV7(at.getTime())}, ${spec.customerId}, ${at}, null, 'pause', ${spec.createdBy ?? null})`,
    );
  }
  if (reserved.includes(spec.taskStatus))
    await run(
      db,
      sql`insert into reservation (task_id, customer_id, amount) values (${taskId}, ${spec.customerId}, ${segments * price})`,
    );
  return taskId;
};
