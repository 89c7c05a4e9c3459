/** The results of an A/B test in numbers, and what they say. */
import type { Db } from '@pahatid/db';
import { type AbRule, countVariant, type VariantCounts } from '@pahatid/db/queries/ab-tests';
import { type AbJudgement, judgeAbTest, type VariantResult } from '@pahatid/domain';

export interface AbResults {
  /** Null: its task has not begun. */
  readonly counts: readonly (VariantCounts | null)[];
  readonly judgement: AbJudgement;
}

/** By whom a person decides, deliveries are shown compared. */
export const resultOf = (rule: AbRule, counts: VariantCounts | null): VariantResult => {
  const { accepted, delivered, clicked } = counts ?? { accepted: 0, delivered: 0, clicked: 0 };
  return rule === 'clicks'
    ? { count: delivered, good: Math.min(clicked, delivered) }
    : { count: accepted, good: Math.min(delivered, accepted) };
};

export async function readResults(
  db: Db,
  test: { customerId: string; rule: AbRule; children: readonly (string | null)[] },
): Promise<AbResults> {
  const counts: (VariantCounts | null)[] = [];
  for (const childId of test.children)
    counts.push(childId === null ? null : await countVariant(db, test.customerId, childId));
  return { counts, judgement: judgeAbTest(counts.map((each) => resultOf(test.rule, each))) };
}
