/** Queues the automatic answer to a reply, in the transaction that stores it; a job sends it. */
import { keywordAnswerMaxAgeMs } from '@pahatid/contract';
import { queueKeywordAnswer } from '@pahatid/db/queries/keyword-answers';
import { listActiveKeywordRules } from '@pahatid/db/queries/keyword-rules';
import { chooseKeywordRule } from '@pahatid/domain';
import type { PoolClient } from 'pg';

interface Reply {
  customerId: string;
  appId: string;
  inboundId: string;
  msisdn: string;
  content: string;
  isOptOut: boolean;
  receivedMs: number;
}

/** What opts out is never answered, and what came long ago is not answered any more. */
export async function answerByKeyword(tx: PoolClient, reply: Reply): Promise<void> {
  const at = new Date();
  if (reply.isOptOut || reply.receivedMs < at.getTime() - keywordAnswerMaxAgeMs) return;
  const { customerId, appId, inboundId, msisdn } = reply;
  const rules = await listActiveKeywordRules(tx, customerId, appId);
  const chosen = chooseKeywordRule(rules, reply.content, reply.receivedMs);
  if (chosen === null) return;
  const { rule, keyword } = chosen;
  const { ruleId, templateId } = rule;
  await queueKeywordAnswer(tx, { customerId, appId, inboundId, msisdn, ruleId, templateId, keyword, at });
}
