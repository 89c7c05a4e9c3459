import { parseArgs } from 'node:util';
import { makePool, uuidV7 } from '@pahatid/db';
import { saveVerifyRun } from '@pahatid/db/queries/alerts';
import { findVerifiedCustomer } from '@pahatid/db/queries/verify/snapshot';
import type { Pool } from 'pg';
import { ConfigError } from '../process/config.ts';
import { CHECKS, type Difference, type Findings } from '../verify/difference.ts';
import { findDifferences, type VerifyOptions } from '../verify/find-differences.ts';
import { repairDifferences } from '../verify/repair.ts';
import { formatJson, formatSummary, formatTable } from '../verify/report.ts';
import type { Command } from './command.ts';
import { UsageError } from './usage-error.ts';
import { withDatabase } from './with-database.ts';

const AGREES = 0;
const DIFFERS = 1;
const FAILED = 2;

const DAY_MS = 86_400_000;
/** Maximum retention of messages; sums of older ones remain, and can't be derived any more. */
const KEPT_DAYS = 400;
const LIMIT = 20;

export const verifyHelp = `pahatid verify [--customer NAME|ID] [--since DATE] [--all] [--limit N] [--json] [--repair]

Compares everything that is counted with what it was counted from, and prints what differs. Changes nothing that it
compares, and may run while messages are being sent: it reads snapshots, in which rows and counters must agree.

Days whose messages are final are sealed once they agree, and not read again until something counted about them changes. An
interrupted run is continued by the next one.

  --customer NAME|ID  this customer alone
  --since DATE        messages accepted from then on (ISO 8601; ${KEPT_DAYS} days back without it)
  --all               compares sealed days again: finds rows that were changed while nothing counted about them was
  --limit N           lines shown of each check (${LIMIT})
  --json              one JSON object instead of a table
  --repair            mends what can be derived from the messages, and balances from the ledger. The ledger itself is
                      never rewritten: what was charged wrongly is corrected by an entry that says so. What can't be
                      derived is left and marked "by hand". Every repair is in the audit log.

Answers 0 where everything agrees, 1 where something differs (with --repair: still differs), 2 where it could not run.

${Object.entries(CHECKS)
  .map(([name, meaning]) => `  ${name.padEnd(14)} ${meaning}`)
  .join('\n')}`;

interface Words {
  readonly customer: string | undefined;
  readonly sinceMs: number;
  readonly all: boolean;
  readonly limit: number;
  readonly json: boolean;
  readonly repair: boolean;
  /** All customers, as far back as messages are stored. */
  readonly isWhole: boolean;
}

/** Verifies that counters agree with the rows they were counted from; see `verifyHelp`. */
export const verifyCommand: Command = async (words, env) => {
  try {
    const given = readWords(words);
    if (given === null) {
      console.log(verifyHelp);
      return AGREES;
    }
    return await withDatabase(env, ({ url }) => verifyDatabase(url, given));
  } catch (error) {
    const lines =
      error instanceof ConfigError ? [...error.problems] : [`verify could not run: ${(error as Error).message}`];
    if (error instanceof UsageError) lines.push(`\n${verifyHelp}`);
    for (const line of lines) console.error(line);
    return FAILED;
  }
};

async function verifyDatabase(url: string, given: Words): Promise<number> {
  const pool = makePool({ url, applicationName: 'pahatid verify', max: 3, statementTimeoutMs: 0 });
  try {
    const customerId = given.customer === undefined ? null : await findVerifiedCustomer(pool, given.customer);
    if (given.customer !== undefined && customerId === null) {
      console.error(`there is no customer ${given.customer}`);
      return FAILED;
    }
    const { limit, sinceMs, all } = given;
    const options = { customerId, sinceMs, all, keep: limit, onProgress };
    const { findings, repaired } = await verify(pool, given.repair, options);
    onProgress?.('');
    if (given.isWhole) await keepForStaff(pool, findings);
    if (given.json) console.log(formatJson(findings, limit, repaired));
    else {
      const table = formatTable(findings, limit);
      if (table !== '') console.log(table);
      console.log(formatSummary(findings, repaired.length));
    }
    return findings.count === 0 ? AGREES : DIFFERS;
  } finally {
    await pool.end();
  }
}

/** Stores the result of the last full verification for staff. If it can't be stored, it is printed all the same. */
async function keepForStaff(pool: Pool, { count, totals }: Findings): Promise<void> {
  try {
    await saveVerifyRun(pool, uuidV7(), { differences: count, totals: Object.fromEntries(totals) });
  } catch (error) {
    console.error(`what was found is not shown to the staff: ${(error as Error).message}`);
  }
}

async function verify(
  pool: Pool,
  repair: boolean,
  options: VerifyOptions,
): Promise<{ findings: Findings; repaired: readonly Difference[] }> {
  if (repair) return await repairDifferences(pool, options);
  return { findings: await findDifferences(pool, options), repaired: [] };
}

/** On a terminal, one line that overwrites itself. */
const onProgress = process.stderr.isTTY
  ? (line: string): void => {
      process.stderr.write(`\r\u001b[K${line}`);
    }
  : () => {};

/** null: help is asked for. */
function readWords(words: string[]): Words | null {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const options = {
    ...{ customer: text, since: text, all: flag, limit: text, json: flag, repair: flag },
    help: { ...flag, short: 'h' },
  } as const;
  let values: ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];
  try {
    values = parseArgs({ args: words, options, allowPositionals: false, strict: true }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  if (values.help) return null;
  const limit = values.limit === undefined ? LIMIT : Number(values.limit);
  if (!Number.isInteger(limit) || limit < 1) throw new UsageError('--limit is a whole number from 1');
  const since = values.since === undefined ? Date.now() - KEPT_DAYS * DAY_MS : Date.parse(values.since);
  if (Number.isNaN(since)) throw new UsageError('--since is a date like 2026-03-01 or 2026-03-01T08:00:00+08:00');
  return {
    customer: values.customer,
    sinceMs: Math.floor(since / 60_000) * 60_000,
    all: values.all,
    limit,
    json: values.json,
    repair: values.repair,
    isWhole: values.customer === undefined && values.since === undefined,
  };
}
