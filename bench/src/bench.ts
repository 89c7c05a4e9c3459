/** A measurement of `npm run bench -- <name>`. */

/** One line of a table: a figure and its goal. */
export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** The goal; null if there is none. */
  readonly goal: number | null;
  /** Whether a greater value is the better one. */
  readonly higherIsBetter: boolean;
}

export interface Bench {
  readonly name: string;
  /** One sentence on what is measured, and how. */
  readonly says: string;
  /** `words`: arguments after the name on the command line. */
  measure(words: readonly string[]): Promise<{ figures: Figure[]; remarks: string[] }>;
}
