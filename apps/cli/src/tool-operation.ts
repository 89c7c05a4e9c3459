/** An operation that software can call. */
export interface ToolOperation {
  /** `GET /messages/{messageId}` */
  readonly key: string;
  /** `getMessagesMessageId` */
  readonly id: string;
  readonly summary: string;
  /** JSON Schema of an object with `params`, `query` and `body`, of those that the operation has. */
  readonly input: Readonly<Record<string, unknown>>;
}
