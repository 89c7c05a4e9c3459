/**
 * Stores a form as a draft, once however often it is retried. The first response contains the task's id; later calls
 * change the same task. If the response to the first attempt was lost, the draft may still exist: the same body under
 * the same idempotency key returns its response, and later changes follow after that. If the draft was deleted
 * meanwhile, the form is stored as a new one.
 */
export interface TaskStore<B, T extends { taskId: string }> {
  create(key: string, body: B): Promise<T>;
  /** `version`: the one that the change is based on; undefined overwrites whatever is stored. */
  update(taskId: string, body: B, version: number | undefined): Promise<T>;
  /** Whether a failure leaves open if the server acted. */
  isUnanswered(error: unknown): boolean;
  /** Whether the task was deleted. */
  isGone(error: unknown): boolean;
}

export interface TaskSaver<B, T> {
  /** Null until the task is stored for the first time. */
  readonly taskId: string | null;
  save(body: B, version?: number): Promise<T>;
}

export function makeTaskSaver<B, T extends { taskId: string }>(
  store: TaskStore<B, T>,
  knownId: string | null,
  newKey: () => string = randomKey,
): TaskSaver<B, T> {
  let taskId = knownId;
  let key = newKey();
  let unanswered: B | null = null;

  const create = async (body: B): Promise<T> => {
    try {
      const task = await store.create(key, body);
      taskId = task.taskId;
      unanswered = null;
      return task;
    } catch (error) {
      if (store.isUnanswered(error)) unanswered = body;
      else {
        // Refused, so nothing is stored under the key; another body must not reuse it.
        unanswered = null;
        key = newKey();
      }
      throw error;
    }
  };

  const update = async (id: string, body: B, version: number | undefined): Promise<T> => {
    try {
      return await store.update(id, body, version);
    } catch (error) {
      if (!store.isGone(error)) throw error;
      key = newKey();
      return create(body);
    }
  };

  return {
    get taskId() {
      return taskId;
    },
    async save(body, version) {
      if (taskId === null && unanswered !== null) {
        const sent = unanswered;
        const answer = await create(sent).catch((error: unknown) => {
          if (store.isUnanswered(error)) throw error;
          return null;
        });
        if (answer && JSON.stringify(sent) === JSON.stringify(body)) return answer;
      }
      return taskId === null ? create(body) : update(taskId, body, version);
    },
  };
}

/** Returns a UUID of version 4; `crypto.randomUUID` is missing on pages over plain HTTP. */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
