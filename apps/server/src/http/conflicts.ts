import type { ErrorCode } from '@pahatid/contract';
import { getConstraint } from '@pahatid/db';
import { ProblemError } from './problem.ts';

/**
 * Runs `work` and turns the violation of a named constraint into its problem: only the database can decide which of two
 * concurrent requests came first.
 */
export async function onConflict<T>(problems: Readonly<Record<string, ErrorCode>>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = problems[getConstraint(error) ?? ''];
    throw code === undefined ? error : new ProblemError(code);
  }
}
