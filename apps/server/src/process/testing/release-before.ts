/** The release that machines run while the next one is put in place. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { exportRelease } from './copy-release.ts';

const ROOT = path.join(import.meta.dirname, '../../../../..');

export interface ReleaseBefore {
  /** The tag or commit; null: this tree. */
  readonly name: string | null;
  readonly main: string;
  /** Its own: they write only what its schema has. */
  readonly Scene: typeof import('../../sending/testing/scene.ts').Scene;
  readonly builders: typeof import('@pahatid/db/builders');
  readonly migrate: (url: string) => Promise<unknown>;
}

/**
 * Opens the last tagged release before the checked-out commit, or the commit that PAHATID_UPGRADE_FROM names, in an empty
 * folder. Without tags (there is no release yet, or the clone has none) it is this tree.
 */
export async function openReleaseBefore(folder: string): Promise<ReleaseBefore> {
  const name = process.env['PAHATID_UPGRADE_FROM'] ?? findLastTag();
  const root = name === null ? ROOT : exportRelease(folder, name);
  const load = (file: string): Promise<never> => import(pathToFileURL(path.join(root, file)).href) as Promise<never>;
  const { Scene }: Pick<ReleaseBefore, 'Scene'> = await load('apps/server/src/sending/testing/scene.ts');
  const { migrate }: { migrate: (options: { url: string }) => Promise<unknown> } =
    await load('packages/db/src/index.ts');
  return {
    name,
    main: path.join(root, 'apps/server/src/main.ts'),
    Scene,
    builders: await load('packages/db/src/builders/index.ts'),
    migrate: (url) => migrate({ url }),
  };
}

/** A commit that is a release itself is compared with the one before it. */
function findLastTag(): string | null {
  try {
    const words = ['describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*', 'HEAD^'];
    return execFileSync('git', words, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return null;
  }
}
