/** The main job through the API, for journeys that test what happens after "Send". */
import type { Task } from '@pahatid/contract';
import { countVariables } from '@pahatid/domain';
import { until } from '@pahatid/testkit';
import type { PhoneFile } from './phone-files.ts';
import type { SignedIn } from './product.ts';

export async function uploadFile({ call, fetch: send }: SignedIn, file: PhoneFile): Promise<string> {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(file.bytes)]), file.name);
  const answer = await send('/files', { method: 'POST', body: form });
  if (answer.status !== 202) throw new Error(`upload: ${answer.status} ${await answer.text()}`);
  const { fileId } = (await answer.json()) as { fileId: string };
  await until(async () => (await call('GET /files/:fileId', { params: { fileId } })).fileStatus !== 'processing', {
    timeoutMs: 180_000,
    what: 'the file to be read',
  });
  return fileId;
}

/** A task of a template of the demo application, checked and ready to confirm. */
export async function prepareTask(
  user: SignedIn,
  file: PhoneFile,
  taskName: string,
  templateName = 'Order ready',
): Promise<Task> {
  const fileId = await uploadFile(user, file);
  const templates = await user.call('GET /templates', { query: { search: templateName, sendable: '1' } });
  const template = templates.items[0];
  if (!template) throw new Error('the demo has no sendable template');
  const { taskId } = await user.call('POST /tasks', {
    body: {
      taskName,
      appId: template.appId,
      smsType: template.smsType,
      templateId: template.templateId,
      senderId: 'SARISARI',
      fileId,
      mapping: { variables: [1, 2, 3].slice(0, countVariables(template.content)) },
    },
  });
  return until(
    async () => {
      const task = await user.call('GET /tasks/:taskId', { params: { taskId } });
      if (task.taskStatus === 8) throw new Error(`the check failed: ${task.statusReason}`);
      return task.taskStatus === 2 ? task : undefined;
    },
    { timeoutMs: 180_000, what: 'the task to pass its check' },
  );
}
