/**
 * The order of the folders inside a program, from the ground up: a folder imports only from folders before it in its
 * list. So no folders import each other in a circle. A file next to the folders counts as one.
 */

/** By the folder whose parts are listed. */
export const folderOrder: Readonly<Record<string, readonly string[]>> = {
  'apps/server/src': [
    'secrets',
    'traces',
    'metrics',
    'process',
    'sending',
    'verify',
    'mail',
    'http',
    'notices',
    'files',
    'audiences',
    'review-rules',
    'second-factors',
    'callbacks',
    'messages',
    'smpp-server',
    'codes',
    'approvals',
    'imports',
    'sign-in',
    'features',
    'roles',
    'cli',
    'main.ts',
  ],
  'apps/server/src/sending': [
    'link-profile.ts',
    'notifier.ts',
    'settle',
    'replies',
    'receipts',
    'submit',
    'restore',
    'route',
    'accept',
    'job-context.ts',
    'message-jobs.ts',
    'store-waiting-parts.ts',
    'jobs.ts',
    'start-sending.ts',
  ],
  'apps/console/src': ['locales', 'lib', 'ui', 'features', 'app', 'main.tsx'],
};

/** Why the import points up, or null. Both are paths from the root of the project. */
export function refuseOrder(from: string, to: string): string | null {
  for (const [folder, order] of Object.entries(folderOrder)) {
    const [mine, theirs] = [partOf(folder, from), partOf(folder, to)];
    if (mine === null || theirs === null || mine === theirs) continue;
    for (const part of [mine, theirs])
      if (!order.includes(part)) return `${folder}/${part} has no place in scripts/folder-order.ts`;
    if (order.indexOf(theirs) > order.indexOf(mine)) return `${folder}/${theirs} comes after ${mine}`;
  }
  return null;
}

const partOf = (folder: string, file: string): string | null =>
  file.startsWith(`${folder}/`) ? (file.slice(folder.length + 1).split('/')[0] ?? null) : null;
