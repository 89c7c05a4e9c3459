import type { ReviewContext } from '@pahatid/contract';
import type { Db } from '@pahatid/db';
import {
  findReviewFile,
  findReviewHistory,
  findReviewOwner,
  type ReviewFileRow,
} from '@pahatid/db/queries/review-context';
import { findReviewState, type ReviewKind } from '@pahatid/db/queries/reviews';
import { compileTemplate, parseMsisdn } from '@pahatid/domain';
import type { SignedInUser } from '../../http/call.ts';
import { phoneFor, textFor } from '../../http/phones.ts';
import { ProblemError } from '../../http/problem.ts';
import { listLinksIn } from '../../review-rules/check-links.ts';

const shownRows = 5;

/** Returns what a reviewer checks in addition to the text. */
export async function readContext(
  tx: Db,
  { kind, id }: { kind: ReviewKind; id: string },
  user: SignedInUser,
  now: Date,
): Promise<ReviewContext> {
  const customerId = await findReviewOwner(tx, kind, id);
  if (customerId === null) throw new ProblemError('NOT_FOUND');
  const history = await findReviewHistory(tx, customerId, id);
  const file = kind === 'task' ? await findReviewFile(tx, id) : null;
  const text = kind === 'template' || kind === 'task' ? ((await findReviewState(tx, kind, id))?.content ?? '') : '';
  return {
    links: await listLinksIn(tx, customerId, text, now),
    sample: file && presentSample(file, user),
    history: {
      ...history,
      since: history.since.toISOString(),
      lastRejectedTime: history.lastRejectedTime?.toISOString() ?? null,
    },
  };
}

/** What the first usable rows make of the text. A cell may hold a number in any column, so texts are masked as well. */
function presentSample(file: ReviewFileRow, user: SignedInUser): NonNullable<ReviewContext['sample']> {
  const { fileName, validCount, sample, reading, mapping, content } = file;
  const template = compileTemplate(content ?? '');
  const rows = sample.flatMap((cells) => {
    const parsed = parseMsisdn(cells[reading?.phoneColumn ?? 0] ?? '');
    if (!parsed.ok) return [];
    const values = Array.from({ length: template.variableCount }, (_, i) => cells[mapping?.variables[i] ?? -1] ?? '');
    return [{ mobileNumber: phoneFor(user, parsed.msisdn), text: textFor(user, template.render(values)) }];
  });
  return { fileName, validCount, rows: rows.slice(0, shownRows) };
}
