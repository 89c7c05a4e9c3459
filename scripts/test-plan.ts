/**
 * What runs at the same time. Even a file that computes (a browser, programs that start) waits a third of its time, for
 * timers, carriers and leases: two cores have room for three of those at a time, for six that wait two thirds of it (or
 * have the database work), for twelve that rest nearly all of it. More begin while a part of the processors is idle. The
 * longest begin first, so that no long one is left over at the end.
 */

export interface TestWeight {
  /** Approximate duration; only used for ordering. */
  readonly seconds: number;
  readonly kind: keyof typeof UNITS;
}

/** Units of room that one takes; a core has six. */
const UNITS = { rests: 1, waits: 2, computes: 4 } as const;
const UNITS_OF_CORE = 6;
/** On a machine of one core too, any file has room when nothing else runs. */
const LEAST_ROOM = 2 * UNITS_OF_CORE;

/** With so much of the processors idle, one more file that waits has room; with so much, one that computes. */
const IDLE_FOR_WAITING = 0.25;
const IDLE_FOR_COMPUTING = 0.5;

/**
 * Room that idle processors give, none as soon as they are not. Not more than for one file that computes: those that begin
 * in a quiet moment compute later, and with two more of them the load was 10 to 18 on two cores.
 */
export const spareRoom = (idleShare: number): number => {
  if (idleShare < IDLE_FOR_WAITING) return 0;
  return idleShare < IDLE_FOR_COMPUTING ? UNITS.waits : UNITS.computes;
};

const roomOf = (cores: number): number => Math.max(LEAST_ROOM, cores * UNITS_OF_CORE);

/** Listed among the running files until the console is built, and until all is checked. */
export const CONSOLE_BUILD = 'build of the console';
export const CHECKS = 'checks';
/** Files that may serve or measure the console wait for it. */
export const needsNoConsole = (file: string): boolean =>
  /^(?:packages|apps\/carrier-simulator|apps\/server\/src\/(?:files|jobs|sending|verify))\//.test(file);

/** Files of 10 s and more. */
const known: Record<string, TestWeight> = {
  'apps/console/build/public-pages.test.ts': { seconds: 18, kind: 'computes' },
  'apps/server/src/cli/restore.test.ts': { seconds: 30, kind: 'waits' },
  'apps/server/src/cli/verify.test.ts': { seconds: 13, kind: 'computes' },
  'apps/server/src/features/billing/charging.test.ts': { seconds: 34, kind: 'rests' },
  'apps/server/src/features/files/files.test.ts': { seconds: 26, kind: 'computes' },
  'apps/server/src/features/records/record-scan.test.ts': { seconds: 12, kind: 'waits' },
  'apps/server/src/features/short-links/link-processes.test.ts': { seconds: 14, kind: 'waits' },
  'apps/server/src/features/sign-in/brute-force.test.ts': { seconds: 15, kind: 'waits' },
  'apps/server/src/features/statistics/presets.test.ts': { seconds: 15, kind: 'computes' },
  'apps/server/src/files/parse-file.test.ts': { seconds: 19, kind: 'computes' },
  'apps/server/src/files/spoiled-files.test.ts': { seconds: 22, kind: 'computes' },
  'apps/server/src/http/stream-places.test.ts': { seconds: 9, kind: 'waits' },
  'apps/server/src/mail/mail.test.ts': { seconds: 4, kind: 'waits' },
  'apps/server/src/process/deploy.test.ts': { seconds: 63, kind: 'computes' },
  'apps/server/src/process/keep-running.test.ts': { seconds: 13, kind: 'rests' },
  'apps/server/src/process/log-terminal.test.ts': { seconds: 14, kind: 'waits' },
  'apps/server/src/process/machine.test.ts': { seconds: 23, kind: 'computes' },
  'apps/server/src/process/upgrade.test.ts': { seconds: 60, kind: 'computes' },
  'apps/server/src/roles/audit-walk.test.ts': { seconds: 7, kind: 'waits' },
  'apps/server/src/roles/jobs.test.ts': { seconds: 9, kind: 'waits' },
  'apps/server/src/roles/kept-from-view.test.ts': { seconds: 4, kind: 'waits' },
  'apps/server/src/roles/masks.test.ts': { seconds: 35, kind: 'computes' },
  'apps/server/src/roles/run-role.test.ts': { seconds: 19, kind: 'waits' },
  'apps/server/src/roles/samples.test.ts': { seconds: 2, kind: 'waits' },
  'apps/server/src/roles/supervisor.test.ts': { seconds: 53, kind: 'computes' },
  'apps/server/src/security/cross-site.test.ts': { seconds: 9, kind: 'computes' },
  'apps/server/src/security/files.test.ts': { seconds: 10, kind: 'computes' },
  'apps/server/src/security/fuzz.test.ts': { seconds: 32, kind: 'computes' },
  'apps/server/src/security/injection.test.ts': { seconds: 20, kind: 'waits' },
  'apps/server/src/security/regexes.test.ts': { seconds: 21, kind: 'computes' },
  'apps/server/src/security/slow-http.test.ts': { seconds: 13, kind: 'waits' },
  'apps/server/src/security/tenancy.test.ts': { seconds: 23, kind: 'waits' },
  'apps/server/src/sending/busy-tables.test.ts': { seconds: 17, kind: 'rests' },
  'apps/server/src/sending/route/failover.test.ts': { seconds: 27, kind: 'waits' },
  'apps/server/src/sending/sending-breaker.test.ts': { seconds: 38, kind: 'rests' },
  'apps/server/src/sending/sending-crash.test.ts': { seconds: 45, kind: 'waits' },
  'apps/server/src/sending/sending-faults.test.ts': { seconds: 47, kind: 'waits' },
  'apps/server/src/sending/sending-leases.test.ts': { seconds: 23, kind: 'waits' },
  'apps/server/src/sending/sending-pace.test.ts': { seconds: 32, kind: 'waits' },
  'apps/server/src/sending/sending-stalled.test.ts': { seconds: 24, kind: 'waits' },
  'apps/server/src/sending/sending.test.ts': { seconds: 26, kind: 'waits' },
  'apps/server/src/sending/submit/missing-receipts.test.ts': { seconds: 50, kind: 'rests' },
  'apps/server/src/sending/submit/parked-batches.test.ts': { seconds: 25, kind: 'computes' },
  'apps/server/src/verify/faults.test.ts': { seconds: 50, kind: 'waits' },
  'apps/server/src/verify/repair.test.ts': { seconds: 20, kind: 'computes' },
  'apps/server/src/verify/verify.test.ts': { seconds: 9, kind: 'waits' },
  'e2e/src/accounts.test.ts': { seconds: 33, kind: 'computes' },
  'e2e/src/axe.test.ts': { seconds: 152, kind: 'computes' },
  'e2e/src/customers.test.ts': { seconds: 25, kind: 'computes' },
  'e2e/src/keyboard.test.ts': { seconds: 29, kind: 'computes' },
  'e2e/src/keys.test.ts': { seconds: 20, kind: 'computes' },
  'e2e/src/kill.test.ts': { seconds: 22, kind: 'computes' },
  'e2e/src/lists.test.ts': { seconds: 20, kind: 'computes' },
  'e2e/src/loading.test.ts': { seconds: 21, kind: 'computes' },
  'e2e/src/main-job.test.ts': { seconds: 75, kind: 'computes' },
  'e2e/src/privacy.test.ts': { seconds: 22, kind: 'computes' },
  'e2e/src/promises/p01-kill-others.test.ts': { seconds: 15, kind: 'computes' },
  'e2e/src/promises/p01-kill-sender.test.ts': { seconds: 32, kind: 'computes' },
  'e2e/src/promises/p02-kill-database.test.ts': { seconds: 130, kind: 'waits' },
  'e2e/src/promises/p04-lost-commit.test.ts': { seconds: 20, kind: 'computes' },
  'e2e/src/promises/p05-disconnects.test.ts': { seconds: 28, kind: 'computes' },
  'e2e/src/promises/p06-stalled-carrier.test.ts': { seconds: 16, kind: 'waits' },
  'e2e/src/promises/p07-throttling.test.ts': { seconds: 39, kind: 'computes' },
  'e2e/src/promises/p08-refusals.test.ts': { seconds: 36, kind: 'waits' },
  'e2e/src/promises/p09-early-receipts.test.ts': { seconds: 22, kind: 'computes' },
  'e2e/src/promises/p10-contradictory-receipts.test.ts': { seconds: 17, kind: 'computes' },
  'e2e/src/promises/p11-silence.test.ts': { seconds: 24, kind: 'computes' },
  'e2e/src/promises/p14-clocks.test.ts': { seconds: 64, kind: 'computes' },
  'e2e/src/promises/p15-full-disk.test.ts': { seconds: 67, kind: 'computes' },
  'e2e/src/promises/p16-uploads.test.ts': { seconds: 29, kind: 'waits' },
  'e2e/src/promises/p18-zombies.test.ts': { seconds: 36, kind: 'computes' },
  'e2e/src/promises/p19-restarts.test.ts': { seconds: 45, kind: 'computes' },
  'e2e/src/promises/p20-once.test.ts': { seconds: 17, kind: 'computes' },
  'e2e/src/promises/p21-terminate.test.ts': { seconds: 18, kind: 'computes' },
  'e2e/src/promises/p22-snapshot.test.ts': { seconds: 16, kind: 'waits' },
  'e2e/src/promises/p25-counts.test.ts': { seconds: 17, kind: 'computes' },
  'e2e/src/public.test.ts': { seconds: 36, kind: 'computes' },
  'e2e/src/records.test.ts': { seconds: 14, kind: 'computes' },
  'e2e/src/recovery.test.ts': { seconds: 24, kind: 'computes' },
  'e2e/src/review.test.ts': { seconds: 31, kind: 'computes' },
  'e2e/src/routing.test.ts': { seconds: 17, kind: 'computes' },
  'e2e/src/security.test.ts': { seconds: 109, kind: 'computes' },
  'e2e/src/setup.test.ts': { seconds: 21, kind: 'computes' },
  'e2e/src/sign-in.test.ts': { seconds: 33, kind: 'computes' },
  'e2e/src/staff.test.ts': { seconds: 13, kind: 'computes' },
  'e2e/src/statistics.test.ts': { seconds: 33, kind: 'computes' },
  'e2e/src/task-life.test.ts': { seconds: 76, kind: 'computes' },
  'e2e/src/template-editing.test.ts': { seconds: 17, kind: 'computes' },
  'e2e/src/versions.test.ts': { seconds: 18, kind: 'computes' },
  'packages/db/src/backup/backup.test.ts': { seconds: 25, kind: 'waits' },
  'packages/db/src/embedded/embedded.test.ts': { seconds: 29, kind: 'computes' },
  'packages/db/src/migrate.test.ts': { seconds: 5, kind: 'waits' },
  'packages/engine/src/engine.test.ts': { seconds: 6, kind: 'computes' },
  'packages/testkit/src/claim-plans.test.ts': { seconds: 15, kind: 'computes' },
  'packages/testkit/src/pumping-plans.test.ts': { seconds: 20, kind: 'computes' },
  'packages/testkit/src/receipt-plans.test.ts': { seconds: 15, kind: 'computes' },
  'packages/testkit/src/report-plans.test.ts': { seconds: 15, kind: 'waits' },
  'packages/testkit/src/settling-plans.test.ts': { seconds: 20, kind: 'waits' },
  'scripts/release/release.test.ts': { seconds: 20, kind: 'computes' },
};

/** Most of its time it loads what it tests. */
const SHORT: TestWeight = { seconds: 2, kind: 'computes' };
/** Starts the whole product, or several of its processes. */
const JOURNEY: TestWeight = { seconds: 20, kind: 'computes' };

export const weightOf = (file: string): TestWeight =>
  known[file] ?? (file.startsWith('e2e/') || file === CONSOLE_BUILD || file === CHECKS ? JOURNEY : SHORT);

export const namedFiles: readonly string[] = Object.keys(known);

/**
 * Test files in lists of which each runs in one process, with one product and one browser (e2e/src/shared-product.ts).
 * The lists run at the same time; `recovery` changes passwords of users with which files of another list sign in.
 */
export const sharing: readonly (readonly string[])[] = [
  ['accounts', 'customers', 'file-checking', 'keyboard', 'keys', 'lists', 'loading', 'privacy', 'versions'],
  ['axe', 'main-job', 'task-life'],
  [
    'account-requests',
    'consents',
    'conversations',
    'dossiers',
    'ab-tests',
    'dynamic-groups',
    'invoices',
    'public',
    'recovery',
    'review',
    'routing',
    'staff',
    'statistics',
    'template-editing',
    'top-ups',
  ],
].map((names) => names.map((name) => `e2e/src/${name}.test.ts`));

/** Files of a batch at most: one that is long holds up the end of the run. */
const BATCH_FILES = 24;
/** Files that change what others in their process would find: its environment, its exit, its standard streams. */
const alone = /^apps\/server\/src\/(?:process|features\/captcha)\/|^packages\/testkit\//;

/** Puts those that share a product, and the short files of a package or of an application, together: they run in one process. */
export function inBatches(files: readonly string[]): string[][] {
  const isShort = (file: string): boolean =>
    known[file] === undefined && !file.startsWith('e2e/') && !file.startsWith('scripts/') && !alone.test(file);
  const shared = sharing.map((list) => list.filter((file) => files.includes(file))).filter((list) => list.length > 0);
  const isAlone = (file: string): boolean => !isShort(file) && !shared.some((list) => list.includes(file));
  const batches = [...shared, ...files.filter(isAlone).map((file) => [file])];
  for (const together of Map.groupBy(files.filter(isShort), folderOf).values())
    for (let at = 0; at < together.length; at += BATCH_FILES) batches.push(together.slice(at, at + BATCH_FILES));
  return batches;
}

/** `packages/domain`, `apps/console`. */
const folderOf = (file: string): string => file.split('/').slice(0, 2).join('/');

/** `batches`: those that begin with one of the files. */
export const inOrder = (files: readonly string[], batches?: ReadonlyMap<string, readonly string[]>): string[] => {
  const secondsOf = (file: string): number =>
    (batches?.get(file) ?? [file]).reduce((sum, each) => sum + weightOf(each).seconds, 0);
  return [...files].sort((a, b) => secondsOf(b) - secondsOf(a) || (a < b ? -1 : 1));
};

/**
 * Returns the next file to start alongside the running ones: the first that has room. Undefined: none has, until one of
 * them ends. `spare`: what `spareRoom` found.
 */
export const chooseNext = (
  waiting: readonly string[],
  running: Iterable<string>,
  cores: number,
  spare = 0,
): string | undefined => {
  const room = [...running].reduce((left, file) => left - unitsOf(file), roomOf(cores) + spare);
  return waiting.find((file) => unitsOf(file) <= room);
};

const unitsOf = (file: string): number => UNITS[weightOf(file).kind];
