/** `npm test`, `npm test -- WORD`: installs missing packages, then runs every check and test. */
import path from 'node:path';
import { become } from './become.mjs';
import { ensureInstalled, projectEnv, requireNode, root } from './install.mjs';

ensureInstalled();
become(requireNode(), [path.join(root, 'scripts/run-tests.ts'), ...process.argv.slice(2)], {
  cwd: root,
  env: projectEnv(),
});
