/**
 * What runs beside what. A machine has room for four files at a time on two cores where those wait most of the time (for
 * carriers, leases, time to pass) or are short, for two that compute or one and two that wait, and beside one that
 * measures instants or rates for one that waits. The longest begin first, so that no long one is left over at the end;
 * those that measure come last, when little is left to run beside them.
 */

export interface TestWeight {
  /** About how long it takes; orders, no more. */
  readonly seconds: number;
  readonly kind: keyof typeof UNITS;
}

/** Units of room that one takes; a core has six. */
const UNITS = { waits: 3, computes: 6, measures: 8 } as const;
const UNITS_OF_CORE = 6;
/** On a machine of one core too, any file has room when nothing else runs. */
const LEAST_ROOM = 2 * UNITS_OF_CORE;

/** Stands among the running files until the console is built. */
export const CONSOLE_BUILD = 'build of the console';
/** Whatever may serve or measure the console waits for it. */
export const needsNoConsole = (file: string): boolean =>
  /^(?:packages|apps\/carrier-simulator|apps\/server\/src\/(?:files|jobs|sending|verify))\//.test(file);

/** Files of 10 s and more. */
const known: Record<string, TestWeight> = {
  'apps/console/src/lib/i18n/format-message.test.ts': { seconds: 15, kind: 'computes' },
  'apps/server/src/cli/verify.test.ts': { seconds: 11, kind: 'computes' },
  'apps/server/src/deploy.test.ts': { seconds: 49, kind: 'computes' },
  'apps/server/src/features/files/files.test.ts': { seconds: 23, kind: 'computes' },
  'apps/server/src/features/session/brute-force.test.ts': { seconds: 31, kind: 'computes' },
  'apps/server/src/files/parse-file.test.ts': { seconds: 25, kind: 'computes' },
  'apps/server/src/files/spoiled-files.test.ts': { seconds: 40, kind: 'computes' },
  'apps/server/src/machine.test.ts': { seconds: 16, kind: 'waits' },
  'apps/server/src/security/fuzz.test.ts': { seconds: 13, kind: 'computes' },
  'apps/server/src/security/injection.test.ts': { seconds: 13, kind: 'computes' },
  'apps/server/src/sending/failover.test.ts': { seconds: 23, kind: 'waits' },
  'apps/server/src/sending/sending-crash.test.ts': { seconds: 48, kind: 'waits' },
  'apps/server/src/sending/sending-faults.test.ts': { seconds: 22, kind: 'waits' },
  'apps/server/src/sending/sending-pace.test.ts': { seconds: 29, kind: 'measures' },
  'apps/server/src/sending/sending-stalled.test.ts': { seconds: 21, kind: 'waits' },
  'apps/server/src/sending/sending.test.ts': { seconds: 14, kind: 'computes' },
  'apps/server/src/supervisor.test.ts': { seconds: 25, kind: 'waits' },
  'apps/server/src/verify/faults.test.ts': { seconds: 62, kind: 'waits' },
  'apps/server/src/verify/repair.test.ts': { seconds: 13, kind: 'computes' },
  'packages/db/src/embedded/embedded.test.ts': { seconds: 19, kind: 'waits' },
  'e2e/src/accounts.test.ts': { seconds: 21, kind: 'computes' },
  'e2e/src/axe.test.ts': { seconds: 101, kind: 'computes' },
  'e2e/src/customers.test.ts': { seconds: 13, kind: 'computes' },
  'e2e/src/kill.test.ts': { seconds: 17, kind: 'waits' },
  'e2e/src/main-job.test.ts': { seconds: 48, kind: 'computes' },
  'e2e/src/privacy.test.ts': { seconds: 13, kind: 'computes' },
  'e2e/src/promises/p01-kill-others.test.ts': { seconds: 18, kind: 'computes' },
  'e2e/src/promises/p01-kill-sender.test.ts': { seconds: 61, kind: 'computes' },
  'e2e/src/promises/p02-kill-database.test.ts': { seconds: 26, kind: 'computes' },
  'e2e/src/promises/p03-power-cut.test.ts': { seconds: 36, kind: 'waits' },
  'e2e/src/promises/p04-lost-commit.test.ts': { seconds: 15, kind: 'waits' },
  'e2e/src/promises/p05-disconnects.test.ts': { seconds: 30, kind: 'waits' },
  'e2e/src/promises/p06-stalled-carrier.test.ts': { seconds: 13, kind: 'waits' },
  'e2e/src/promises/p07-throttling.test.ts': { seconds: 47, kind: 'measures' },
  'e2e/src/promises/p08-refusals.test.ts': { seconds: 20, kind: 'waits' },
  'e2e/src/promises/p09-early-receipts.test.ts': { seconds: 22, kind: 'waits' },
  'e2e/src/promises/p10-contradictory-receipts.test.ts': { seconds: 11, kind: 'waits' },
  'e2e/src/promises/p11-silence.test.ts': { seconds: 28, kind: 'waits' },
  'e2e/src/promises/p14-clocks.test.ts': { seconds: 55, kind: 'computes' },
  'e2e/src/promises/p15-full-disk.test.ts': { seconds: 50, kind: 'waits' },
  'e2e/src/promises/p16-uploads.test.ts': { seconds: 31, kind: 'computes' },
  'e2e/src/promises/p18-zombies.test.ts': { seconds: 23, kind: 'computes' },
  'e2e/src/promises/p19-restarts.test.ts': { seconds: 55, kind: 'computes' },
  'e2e/src/promises/p20-once.test.ts': { seconds: 11, kind: 'waits' },
  'e2e/src/promises/p21-terminate.test.ts': { seconds: 17, kind: 'measures' },
  'e2e/src/promises/p22-snapshot.test.ts': { seconds: 17, kind: 'waits' },
  'e2e/src/promises/p25-counts.test.ts': { seconds: 13, kind: 'waits' },
  'e2e/src/public.test.ts': { seconds: 16, kind: 'computes' },
  'e2e/src/recovery.test.ts': { seconds: 17, kind: 'computes' },
  'e2e/src/review.test.ts': { seconds: 16, kind: 'computes' },
  'e2e/src/records.test.ts': { seconds: 15, kind: 'computes' },
  'e2e/src/routing.test.ts': { seconds: 10, kind: 'computes' },
  'e2e/src/security.test.ts': { seconds: 41, kind: 'computes' },
  'e2e/src/sign-in.test.ts': { seconds: 15, kind: 'computes' },
  'e2e/src/statistics.test.ts': { seconds: 14, kind: 'computes' },
  'e2e/src/task-life.test.ts': { seconds: 51, kind: 'computes' },
};

/** It begins and ends more than it computes. */
const SHORT: TestWeight = { seconds: 3, kind: 'waits' };
/** Starts the whole product, or several of its processes. */
const JOURNEY: TestWeight = { seconds: 20, kind: 'computes' };

export const weightOf = (file: string): TestWeight =>
  known[file] ?? (file.startsWith('e2e/') || file === CONSOLE_BUILD ? JOURNEY : SHORT);

export const namedFiles: readonly string[] = Object.keys(known);

export const inOrder = (files: readonly string[]): string[] => {
  const rankOf = (file: string): number => (weightOf(file).kind === 'measures' ? 1 : 0);
  return [...files].sort(
    (a, b) => rankOf(a) - rankOf(b) || weightOf(b).seconds - weightOf(a).seconds || (a < b ? -1 : 1),
  );
};

/** The one to begin beside those that run: the first that has room. Undefined: none has, until one of them ends. */
export const chooseNext = (
  waiting: readonly string[],
  running: Iterable<string>,
  cores: number,
): string | undefined => {
  let room = Math.max(LEAST_ROOM, cores * UNITS_OF_CORE);
  for (const file of running) room -= unitsOf(file);
  return waiting.find((file) => unitsOf(file) <= room);
};

const unitsOf = (file: string): number => UNITS[weightOf(file).kind];
