/**
 * Checks the audit log against its chains. Each link stores the previous hash and its own: a changed entry no longer
 * matches its hash; a recomputed link no longer matches the one after it. Nothing here is ever repaired.
 */
import { createHash } from 'node:crypto';
import {
  type Chain,
  type ChainLink,
  readChainLinks,
  readChains,
  readUnchained,
  STAFF_CHAIN,
} from '@pahatid/db/queries/verify/audit';
import type { PoolClient } from 'pg';
import type { Findings } from './difference.ts';

const PAGE = 2_000;

/** The same as `audit_hash` in the database: the hash before, then each field with its length in bytes before it. */
const hashEntry = (previous: Buffer, fields: readonly (string | null)[]): Buffer =>
  createHash('sha256')
    .update(previous)
    .update(fields.map((field) => (field === null ? '-' : `${Buffer.byteLength(field)}:${field}`)).join(','))
    .digest();

/** In one snapshot. `customerId` null: all chains, the staff's too. */
export const checkAudit = async (tx: PoolClient, findings: Findings, customerId: string | null): Promise<void> => {
  for (const head of await readChains(tx, customerId)) {
    const end = await checkChain(tx, findings, head);
    const isWhole = String(end.seq) === head.seq && head.hash !== null && end.hash.equals(head.hash);
    if (!isWhole)
      findings.add({
        ...placeIn(head.chain),
        what: 'end of the chain',
        kept: `link ${end.seq} ${brief(end.hash)}`,
        derived: `link ${head.seq} ${brief(head.hash)}`,
      });
    findings.auditHeads.push({ chain: head.chain, entries: Number(end.seq), hash: end.hash.toString('hex') });
  }
  for (const { auditId, chain, customerId: owner } of await readUnchained(tx, customerId, PAGE)) {
    const kept = chain === null ? 'in no chain' : `in the chain of ${chain}`;
    findings.add({ ...placeIn(owner ?? STAFF_CHAIN), auditId, what: 'entry', kept, derived: 'in its own chain' });
  }
};

/** From what was deleted for its age on. */
async function checkChain(
  tx: PoolClient,
  findings: Findings,
  { chain, startSeq, startHash }: Chain,
): Promise<{ seq: bigint; hash: Buffer }> {
  let seq = BigInt(startSeq);
  let hash = startHash;
  for (;;) {
    const links = await readChainLinks(tx, chain, String(seq), PAGE);
    for (const link of links) {
      checkLink(findings, chain, link, { seq, hash });
      seq = BigInt(link.seq);
      hash = link.hash;
    }
    findings.looked.auditEntries += links.length;
    if (links.length < PAGE) return { seq, hash };
  }
}

function checkLink(findings: Findings, chain: string, link: ChainLink, before: { seq: bigint; hash: Buffer }): void {
  const at = { ...placeIn(chain), auditId: link.auditId };
  const next = before.seq + 1n;
  if (BigInt(link.seq) !== next) {
    findings.add({ ...at, what: 'links before it', kept: `goes on at ${link.seq}`, derived: `${next} is missing` });
  } else if (!link.previous.equals(before.hash)) {
    const what = `link ${before.seq} before it was made anew`;
    findings.add({ ...at, what, kept: brief(before.hash), derived: brief(link.previous) });
  }
  if (link.fields === null) findings.add({ ...at, what: 'entry', kept: 'is gone', derived: brief(link.hash) });
  else {
    const derived = hashEntry(link.previous, link.fields);
    if (!derived.equals(link.hash))
      findings.add({ ...at, what: 'entry was changed', kept: brief(derived), derived: brief(link.hash) });
  }
}

const placeIn = (chain: string) => ({ check: 'auditChain', customerId: chain === STAFF_CHAIN ? null : chain }) as const;

const brief = (hash: Buffer | null): string => (hash === null ? 'nothing' : hash.toString('hex').slice(0, 16));
