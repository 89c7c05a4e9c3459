/** A row that is no recipient. */
export interface RejectedRow {
  readonly line: number;
  /** What stood in the phone column, at most 64 characters. */
  readonly raw: string;
  readonly reason: string;
}
