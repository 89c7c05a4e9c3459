import { readFileRejects } from '@pahatid/db/queries/files';
import { readTaskRejects } from '@pahatid/db/queries/task-details';
import type { TaskRow } from '@pahatid/db/queries/tasks';
import { rejectColumns } from '../../files/reject-columns.ts';
import type { Call } from '../../http/call.ts';
import { type CsvAnswer, csvAnswer } from '../../http/csv.ts';
import { mustFind } from './act-on-task.ts';

type RejectsCall = Call<'GET /tasks/:taskId/rejects'>;

export async function exportRejects(call: RejectsCall): Promise<CsvAnswer> {
  const task = await call.inScope((tx) => mustFind(tx, call, call.params.taskId));
  return csvAnswer({
    fileName: `${task.taskName}-rejects`,
    columns: rejectColumns(call.query.lang),
    rows: readRejects(task, call.inScope),
  });
}

/** First those of the file, then those of the task's own check. */
async function* readRejects(task: TaskRow, inScope: RejectsCall['inScope']) {
  const { fileId, fileGeneration: generation, customerId, taskId } = task;
  const file = fileId === null || generation === null ? null : { fileId, customerId, generation };
  for (let seq = 0; file !== null; seq += 1) {
    const piece = await inScope((tx) => readFileRejects(tx, file, seq));
    if (piece === null) break;
    yield* piece;
  }
  for (let seq = -1; ; ) {
    const pieces = await inScope((tx) => readTaskRejects(tx, { taskId, customerId }, seq));
    const last = pieces.at(-1);
    if (last === undefined) return;
    for (const piece of pieces) yield* piece.rows;
    seq = last.seq;
  }
}
