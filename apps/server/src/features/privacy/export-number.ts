import type { NumberExport } from '@pahatid/contract';
import { listNumberConsents } from '@pahatid/db/queries/consents';
import { listNumberGroups } from '@pahatid/db/queries/group-members';
import { listClicksOfMessages } from '@pahatid/db/queries/link-clicks';
import { listClickNames } from '@pahatid/db/queries/link-statistics';
import { countNumber, listNumberInbound, listNumberMessages, listNumberOptOuts } from '@pahatid/db/queries/numbers';
import type { PoolClient } from 'pg';
import { findFileMentions, type Read } from './file-mentions.ts';
import { presentMessage } from './present-privacy.ts';

const pageRows = 1_000;

/** All that is held about one number of one customer, read page by page; no transaction stays open meanwhile. */
export async function exportNumber(
  read: Read,
  { customerId, msisdn, now }: { customerId: string; msisdn: string; now: Date },
): Promise<NumberExport> {
  const counts = await read((tx) => countNumber(tx, customerId, msisdn));
  const messages: NumberExport['messages'] = [];
  for (let after = '0'; ; ) {
    const from = after;
    const rows = await read((tx) => listNumberMessages(tx, { customerId, msisdn, after: from, limit: pageRows }));
    messages.push(...rows.map(presentMessage));
    after = rows.at(-1)?.messageId ?? after;
    if (rows.length < pageRows) break;
  }
  const clicks = await read((tx) =>
    listClicksOf(
      tx,
      customerId,
      messages.map((message) => message.messageId),
    ),
  );
  const optOuts = await read((tx) => listNumberOptOuts(tx, customerId, msisdn));
  const consents = await read((tx) => listNumberConsents(tx, customerId, msisdn));
  const inbound = await read((tx) => listNumberInbound(tx, customerId, msisdn));
  const groups = await read((tx) => listNumberGroups(tx, customerId, msisdn));
  const files: NumberExport['files'] = [];
  for await (const { fileId, fileName, createdAt, rows } of findFileMentions(read, customerId, msisdn))
    files.push({ fileId, fileName, createTime: createdAt.toISOString(), rows });
  return {
    mobileNumber: msisdn,
    exportTime: now.toISOString(),
    counts: { ...counts, fileCount: files.length },
    messages,
    clicks,
    optOuts: optOuts.map((row) => ({ source: row.source, evidence: row.evidence, time: row.createdAt.toISOString() })),
    consents: consents.map((row) => ({
      source: row.source,
      givenTime: row.givenAt.toISOString(),
      wording: row.wording,
      fileName: row.fileName,
      withdrawTime: row.withdrawnAt?.toISOString() ?? null,
    })),
    inbound: inbound.map((row) => ({
      time: row.receivedAt.toISOString(),
      destination: row.destination,
      content: row.content,
    })),
    groups: groups.map((row) => ({
      groupId: row.groupId,
      groupName: row.groupName,
      joinTime: row.joinedAt.toISOString(),
      variables: row.variables,
    })),
    files,
  };
}

async function listClicksOf(tx: PoolClient, customerId: string, messageIds: string[]): Promise<NumberExport['clicks']> {
  const rows = messageIds.length === 0 ? [] : await listClicksOfMessages(tx, customerId, messageIds);
  const names = await listClickNames(tx, { linkIds: [...new Set(rows.map((row) => row.linkId))], taskIds: [] });
  return rows.map((row) => ({
    time: row.at.toISOString(),
    linkName: names[row.linkId] ?? row.linkId,
    messageId: row.messageId ?? '',
    os: row.os,
    browser: row.browser,
    device: row.device,
    verdict: row.verdict,
  }));
}
