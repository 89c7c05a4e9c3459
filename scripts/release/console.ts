import { execFileSync } from 'node:child_process';

const BUILDER = new URL('../build-console.mjs', import.meta.url).href;

/** Builds the console unless it is built; fails if it can't be. */
export function buildConsole(): void {
  execFileSync(process.execPath, ['-e', `import('${BUILDER}').then((each) => each.buildConsole())`], {
    stdio: 'inherit',
  });
}
