/** `npm start`: installs missing packages, builds outdated files, and runs the program. */
import path from 'node:path';
import { become } from './become.mjs';
import { buildConsole } from './build-console.mjs';
import { ensureInstalled, projectEnv, requireNode, root } from './install.mjs';

ensureInstalled();
buildConsole();
become(requireNode(), [path.join(root, 'apps/server/src/main.ts'), 'start', ...process.argv.slice(2)], {
  cwd: root,
  env: projectEnv(),
});
