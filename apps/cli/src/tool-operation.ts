/** An operation that software can call. */
export interface ToolOperation {
  /** `GET /messages/{messageId}` */
  readonly key: string;
  /** `getMessagesMessageId` */
  readonly id: string;
  readonly summary: string;
  /** That the credentials need; null: any do. */
  readonly scope: string | null;
  /** Whether a test key can call it. */
  readonly inTestMode: boolean;
  /** JSON Schema of an object with `params`, `query` and `body`, of those that the operation has. */
  readonly input: Readonly<Record<string, unknown>>;
}
