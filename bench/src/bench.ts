/** What a measurement of `npm run bench -- <name>` is. */

/** One line of a table: a figure beside the one to hold. */
export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** The figure to hold; null where there is none. */
  readonly goal: number | null;
  /** Whether a greater value is the better one. */
  readonly higherIsBetter: boolean;
}

export interface Bench {
  readonly name: string;
  /** One sentence on what is measured, and how. */
  readonly says: string;
  /** `words`: what follows the name on the command line. */
  measure(words: readonly string[]): Promise<{ figures: Figure[]; remarks: string[] }>;
}
