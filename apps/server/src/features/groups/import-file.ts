/** Adds the recipients of an uploaded file to a group. A job does the work: the caller wakes it afterwards. */
import { groupVariableLimit } from '@pahatid/contract';
import { uuidV7 } from '@pahatid/db';
import { updateGroup } from '@pahatid/db/queries/groups';
import { findImport, insertImport } from '@pahatid/db/queries/imports';
import type { Call } from '../../http/call.ts';
import { fieldProblem, ProblemError } from '../../http/problem.ts';
import { findReadFile } from '../../imports/find-read-file.ts';
import { presentImport } from '../../imports/present-import.ts';
import { customerScope, mustLockGroup, refuseDynamic } from './find-group.ts';

type ImportCall = Call<'POST /groups/:groupId/import'>;
type ReadFile = Awaited<ReturnType<typeof findReadFile>>;

export async function importFile({ params, body, scope, user, inScope, audit }: ImportCall) {
  const { customerId } = customerScope(scope);
  const { groupId } = params;
  const importId = uuidV7();
  const row = await inScope(async (tx) => {
    const group = await mustLockGroup(tx, customerId, groupId);
    refuseDynamic(group);
    const file = await findReadFile(tx, customerId, body.fileId);
    const { names, columns } = placeVariables(group.variableNames, file, body.variables);
    if (names.length > group.variableNames.length) {
      const { groupName, description } = group;
      const fields = { groupName, description, variableNames: names, selection: null };
      await updateGroup(tx, { groupId, customerId, ...fields, seen: undefined, userId: user.userId });
    }
    await insertImport(tx, {
      importId,
      customerId,
      groupId,
      kind: 'file',
      fileId: body.fileId,
      params: { columns, generation: file.generation },
      overwrite: body.onDuplicate === 'overwrite',
      totalCount: file.validCount,
      createdBy: user.userId,
    });
    await audit(tx, {
      action: 'import',
      subjectType: 'group',
      subjectId: groupId,
      after: { fileName: file.fileName, validCount: file.validCount, onDuplicate: body.onDuplicate },
    });
    return findImport(tx, customerId, importId);
  });
  if (row === null) throw new Error(`import ${importId} is gone`);
  return presentImport(row);
}

/** Returns the place of each column's value among the group's variables; names that the group lacks are appended. */
function placeVariables(known: readonly string[], file: ReadFile, variables: ImportCall['body']['variables']) {
  const names = [...known];
  const columns = variables.map(({ name, column }) => {
    if (column >= file.columns.length || column === file.reading?.phoneColumn)
      throw new ProblemError('MAPPING_INVALID', { variable: name });
    const place = names.findIndex((each) => each.toLowerCase() === name.toLowerCase());
    if (place !== -1) return { place, column };
    names.push(name);
    return { place: names.length - 1, column };
  });
  if (names.length > groupVariableLimit) throw fieldProblem('variables', 'TOO_MANY', { max: groupVariableLimit });
  return { names, columns };
}
