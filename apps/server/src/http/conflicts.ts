import type { ErrorCode } from '@pahatid/contract';
import { constraintOf } from '@pahatid/db';
import { ProblemError } from './problem.ts';

/**
 * Runs `work` and turns the violation of a named constraint into its problem: the database alone can tell which of two
 * requests at once came first.
 */
export async function onConflict<T>(problems: Readonly<Record<string, ErrorCode>>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = problems[constraintOf(error) ?? ''];
    throw code === undefined ? error : new ProblemError(code);
  }
}
