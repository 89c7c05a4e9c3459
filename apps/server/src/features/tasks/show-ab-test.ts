import type { AbTestDetail } from '@pahatid/contract';
import { getCustomerId } from '@pahatid/db';
import { findAbTest, type ShownAbTest, type VariantCounts } from '@pahatid/db/queries/ab-tests';
import { intervalOf } from '@pahatid/domain';
import type { Call } from '../../http/call.ts';
import { ProblemError } from '../../http/problem.ts';
import { type AbResults, readResults, resultOf } from './judge-results.ts';

/** Until the decision as it is now, then as it was. */
export const showAbTest = ({ params, scope, inScope }: Call<'GET /tasks/:taskId/ab-test'>): Promise<AbTestDetail> =>
  inScope(async (tx) => {
    const test = await findAbTest(tx, getCustomerId(scope), params.taskId);
    if (test === null) throw new ProblemError('NOT_FOUND');
    const { customerId, rule, variants } = test;
    const children = variants.map(({ taskId }) => taskId);
    const results = (test.results as AbResults | null) ?? (await readResults(tx, { customerId, rule, children }));
    return present(test, results);
  });

const iso = (time: string | null): string | null => (time === null ? null : new Date(time).toISOString());

function present(test: ShownAbTest, { counts, judgement }: AbResults): AbTestDetail {
  const { rule, waitMinutes, fallback, restCount, winner, decidedBy, deciderName } = test;
  const { leader, rival, difference, isWithinChance } = judgement;
  return {
    rule,
    waitMinutes,
    fallback,
    restCount,
    startTime: iso(test.startedAt),
    decideTime: iso(test.decideAt),
    askTime: iso(test.askedAt),
    decidedTime: iso(test.decidedAt),
    winner,
    decidedBy,
    deciderName,
    judgement: test.startedAt === null ? null : { leader, rival, difference, isWithinChance },
    variants: test.variants.map(({ variant: _, ...each }, index) => ({
      ...each,
      taskStatus: each.taskStatus as AbTestDetail['variants'][number]['taskStatus'],
      result: presentCounts(rule, counts[index] ?? null),
    })),
  };
}

const presentCounts = (
  rule: ShownAbTest['rule'],
  counts: VariantCounts | null,
): AbTestDetail['variants'][number]['result'] => {
  if (counts === null) return null;
  const interval = intervalOf(resultOf(rule, counts));
  return {
    acceptedCount: counts.accepted,
    deliveredCount: Math.max(0, counts.delivered),
    clickedCount: counts.clicked,
    interval,
  };
};
