// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code that is read, not run
/** Verifies that each check rejects: every violation is put into a separate small project, and must be refused. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { checkLock } from './check-lock.ts';
import { findLostPaths } from './document-paths.ts';
import { findUpwardArrows } from './floors.ts';
import { findLogProblems } from './log-events.ts';
import { findPlainEnglishProblems, readComments } from './plain-english.ts';
import { findChanging } from './shard-sql.ts';
import { findBuiltSql } from './sql-text.ts';

const root = path.join(import.meta.dirname, '..');
const made: string[] = [];
after(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

type Files = Record<string, string | object>;

function project(files: Files): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'pahatid-checks-'));
  made.push(folder);
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}

/** Returns Biome's output with our rules. */
function biome(files: Files): string {
  const folder = project({ 'package.json': { name: 'scratch', type: 'module' }, ...files });
  copyFileSync(path.join(root, 'biome.json'), path.join(folder, 'biome.json'));
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  try {
    const words = ['lint', '--vcs-enabled=false', '--diagnostic-level=error', '--max-diagnostics=none', '.'];
    return execFileSync(path.join(root, 'node_modules/.bin/biome'), words, {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return stdout + stderr;
  }
}

test('a circle of imports is refused', () => {
  const said = biome({
    'a.ts': "import { b } from './b.ts';\nexport const a = (): number => b();\n",
    'b.ts': "import { a } from './a.ts';\nexport const b = (): number => a();\n",
  });
  assert.match(said, /noImportCycles/);
});

test('a circle of types alone is refused', () => {
  const said = biome({
    'a.ts': "import type { B } from './b.ts';\nexport interface A {\n  b: B | null;\n}\n",
    'b.ts': "import type { A } from './a.ts';\nexport interface B {\n  a: A | null;\n}\n",
  });
  assert.match(said, /noImportCycles/);
});

test('an import that the package.json does not declare is refused, a type alone too', () => {
  assert.match(biome({ 'a.ts': "import { z } from 'zod';\nexport const a = z;\n" }), /noUndeclaredDependencies/);
  assert.match(
    biome({ 'a.ts': "import type { Pool } from 'pg';\nexport type A = Pool;\n" }),
    /noUndeclaredDependencies/,
  );
  const declared = { 'package.json': { name: 'scratch', type: 'module', dependencies: { zod: '*' } } };
  assert.doesNotMatch(
    biome({ 'a.ts': "import { z } from 'zod';\nexport const a = z;\n", ...declared }),
    /noUndeclaredDependencies/,
  );
});

const workspace = (name: string, more: object = {}): object => ({ name: `@pahatid/${name}`, ...more });

test('an arrow that points up is refused in a package.json and in a source', () => {
  const files = {
    'package.json': { workspaces: ['packages/contract', 'packages/domain', 'packages/smpp'] },
    'packages/contract/package.json': workspace('contract', { dependencies: { '@pahatid/domain': '0.1.0' } }),
    'packages/domain/package.json': workspace('domain', { devDependencies: { '@pahatid/testkit': '0.1.0' } }),
    'packages/smpp/package.json': workspace('smpp'),
    'packages/smpp/src/a.ts':
      "import { x } from '@pahatid/contract';\nimport type { Y } from '../../domain/src/y.ts';\n",
    'packages/domain/src/fine.ts': "import { x } from '@pahatid/contract';\n// import from '@pahatid/db'\n",
  };
  assert.deepEqual(findUpwardArrows(project(files)), [
    'packages/contract/package.json: packages/contract may not depend on domain',
    'packages/domain/package.json: packages/domain may not depend on testkit',
    'packages/smpp/src/a.ts: imports @pahatid/contract: packages/smpp stands below it, or beside',
    'packages/smpp/src/a.ts: imports ../../domain/src/y.ts: a path into another package: import it by name',
  ]);
});

test('a workspace without a floor is refused', () => {
  const folder = project({ 'package.json': { workspaces: ['packages/utils'] } });
  assert.deepEqual(findUpwardArrows(folder), ['packages/utils: has no floor in scripts/floors.ts']);
});

test('features import no features, parts of the interface no feature, programs no tests', () => {
  const files = {
    'package.json': { workspaces: ['apps/server', 'apps/console'] },
    'apps/server/package.json': workspace('server', { devDependencies: { '@pahatid/testkit': '0.1.0' } }),
    'apps/server/src/features/tasks/a.ts': "import { x } from '../templates/x.ts';\nimport { y } from './y.ts';\n",
    'apps/server/src/features/tasks/a.test.ts': "import { until } from '@pahatid/testkit';\n",
    'apps/server/src/roles/api.ts':
      "import { x } from '../features/tasks/a.ts';\nimport { u } from '@pahatid/testkit';\n",
    'apps/console/package.json': workspace('console'),
    'apps/console/src/ui/table.tsx': "import { x } from '../features/tasks/a.tsx';\n",
    'apps/console/src/app/router.tsx': "const load = () => import('../features/tasks/route.tsx');\n",
  };
  assert.deepEqual(findUpwardArrows(project(files)), [
    'apps/server/src/features/tasks/a.ts: imports ../templates/x.ts: features do not import features',
    'apps/server/src/roles/api.ts: imports @pahatid/testkit: apps/server stands below it, or beside',
    'apps/console/src/ui/table.tsx: imports ../features/tasks/a.tsx: only what puts the program together knows a feature',
  ]);
});

test('a folder imports only from those before it in their order, and has a place there; tests import from all', () => {
  const files = {
    'package.json': { workspaces: ['apps/server'] },
    'apps/server/package.json': workspace('server'),
    'apps/server/src/http/a.ts': "import { x } from '../features/tasks/x.ts';\nimport { y } from '../secrets/y.ts';\n",
    'apps/server/src/secrets/b.ts': "import { x } from '../http/a.ts';\n",
    'apps/server/src/secrets/b.test.ts': "import { x } from '../http/a.ts';\n",
    'apps/server/src/sending/settle/c.ts': "import { x } from '../accept/accept.ts';\n",
    'apps/server/src/sending/accept/d.ts': "import { x } from '../settle/c.ts';\n",
    'apps/server/src/roles/e.ts': "import { x } from '../utils/f.ts';\n",
  };
  assert.deepEqual(findUpwardArrows(project(files)), [
    'apps/server/src/http/a.ts: imports ../features/tasks/x.ts: only what puts the program together knows a feature',
    'apps/server/src/roles/e.ts: imports ../utils/f.ts: apps/server/src/utils has no place in scripts/folder-order.ts',
    'apps/server/src/secrets/b.ts: imports ../http/a.ts: apps/server/src/http comes after secrets',
    'apps/server/src/sending/settle/c.ts: imports ../accept/accept.ts: apps/server/src/sending/accept comes after settle',
  ]);
});

test('a lock without the packages of other platforms is reported', () => {
  const integrity = 'sha512-x';
  const lock = {
    packages: {
      'node_modules/tool': {
        integrity,
        optionalDependencies: { '@tool/linux-x64-musl': '1.0.0', '@tool/darwin-arm64': '1.0.0' },
      },
      'node_modules/@tool/darwin-arm64': { version: '1.0.0', integrity },
    },
  };
  assert.equal(checkLock(lock), 'package-lock.json: lacks @tool/linux-x64-musl');
});

test('statements that write what is on shards call no function that changes; others may', () => {
  assert.deepEqual(
    findChanging('a;\nsql`update message set report_at = clock_timestamp() where customer_id = ${id}`;'),
    [2],
  );
  assert.deepEqual(findChanging('sql`insert into dlr_route (at) values (${dbNow()})`,'), [1]);
  assert.deepEqual(
    findChanging('sql`update message set report_at = ${at} where x`, sql`select clock_timestamp()`;'),
    [],
  );
  assert.deepEqual(findChanging('sql`update message_group set at = clock_timestamp()`;'), []);
});

test('S24 SQL built from values is rejected, in every form; literal SQL passes', () => {
  const source = (code: string): string[] =>
    findBuiltSql(
      project({
        'apps/server/src/x.ts': code,
        'packages/db/src/y.ts': '',
        'packages/engine/src/z.ts': '',
      }),
    );
  for (const code of [
    "pool.query(`select * from task where name = '${name}'`);",
    "pool.query('select * from ' + table);",
    'pool.query(text, [id]);',
    'pool.query<{ n: number }>(`select ${column}`);',
    'client.query({ name: "x", text: `select ${column}`, values: [] });',
    'sql`select ${sql.raw(column)}`;',
    'sql.raw(`order by ${sort}`);',
  ])
    assert.equal(source(code).length, 1, code);
  for (const code of [
    'pool.query(`select * from task where name = $1`, [name]);',
    "pool.query('select 1');",
    'sql`select * from task where name = ${name}`;',
    'sql.raw(`task_id as "taskId"`);',
    'client.query({ name: "x", text: `select 1`, values: [id] });',
  ])
    assert.deepEqual(source(code), [], code);
});

test('a log event needs a constant message of its own, and at warn and error a row in docs/running.md', () => {
  const files = {
    'docs/running.md':
      '| warn | `mail not sent, will retry` | look |\n| error | `gone` | look |\n| warn | `job failed` | look |\n',
    'apps/server/src/a.ts':
      "log.warn({ err }, 'mail not sent, will retry');\nlog.info({ a: f('x') }, `${role} stops`);\n",
    'apps/server/src/b.ts':
      "log.warn('mail not sent, will retry');\nthis.log.error(\n  { err },\n  'job failed',\n);\n",
    'packages/db/src/c.ts': "log?.error({ text: 'a)' }, 'not listed');\nconst line = { level: 40, msg: 'lost' };\n",
    'packages/db/src/c.test.ts': "log.warn('tests may');\n",
  };
  assert.deepEqual(findLogProblems(project(files)), [
    'apps/server/src/a.ts:2: a log line needs a constant message; what varies belongs into its fields',
    "apps/server/src/b.ts:1: logs 'mail not sent, will retry', as apps/server/src/a.ts:1 does: each needs its own message",
    "docs/running.md: nothing logs 'gone' at error",
    "docs/running.md: 'job failed' is logged at error",
    "packages/db/src/c.ts:1: 'not listed' (error) is missing in docs/running.md",
    "packages/db/src/c.ts:2: 'lost' (warn) is missing in docs/running.md",
  ]);
});

test('a path that a document names or links to must exist, and each decision has its status in the index', () => {
  const files = {
    'README.md':
      '`apps/server/src/a.ts`, `apps/server/src/*.ts`, `server/src/a`, `gone.ts`, [x](docs/y.md), [web](https://z.test/a.md)',
    'docs/here.md': '`features/a.ts` `server/src/b.ts` `packages/gone/<name>` [up](../README.md#part) `GET /a/b.ts`',
    'docs/decisions/README.md': '| no. | decision | status |\n| [001](001-a.md) | A | in force |\n[002](002-b.md)\n',
    'docs/decisions/001-a.md': '# 001 A\n',
    'docs/decisions/002-b.md': '# 002 B\n',
    'apps/server/src/a.ts': '',
  };
  assert.deepEqual(findLostPaths(project(files)), [
    'README.md: gone.ts does not exist',
    'README.md: docs/y.md does not exist',
    'docs/here.md: features/a.ts does not exist',
    'docs/here.md: server/src/b.ts does not exist',
    'docs/here.md: packages/gone/<name> does not exist',
    'docs/decisions/README.md: 002-b.md has no row with its status',
  ]);
});

test('words that are not plain English are refused in comments and in en-US texts, and nowhere else', () => {
  const folder = project({
    'packages/a/src/a.ts': [
      '/**',
      ' * Mends the route at once.',
      ' */',
      "export const told = 'Tell nobody'; /" + '/ of its own',
      '// Sends `tell` and “mend” as they are.',
      '',
    ].join('\n'),
    'apps/console/src/locales/en-US/a.json': '{\n  "a.told": "The outcome",\n  "a.b": "What became of the file"\n}\n',
    'apps/console/src/locales/en-GB/a.json': '{\n  "a.b": "What became of the file"\n}\n',
    'apps/console/src/features/public/copy/en-US/a.ts': "export const a = {\n  b: 'Mend it anew',\n};\n",
  });
  assert.deepEqual(findPlainEnglishProblems(folder), [
    'packages/a/src/a.ts:2: “Mends”: fix, repair',
    'packages/a/src/a.ts:2: “at once”: immediately, concurrently',
    'packages/a/src/a.ts:4: “of its own”: its own, separate',
    'apps/console/src/locales/en-US/a.json:3: “became of”: outcome, result, status',
    'apps/console/src/features/public/copy/en-US/a.ts:2: “Mend”: fix, repair',
    'apps/console/src/features/public/copy/en-US/a.ts:2: “anew”: again',
  ]);
  assert.deepEqual(findPlainEnglishProblems(root), []);
});

test('comments are read from blocks and line ends, not from addresses in strings', () => {
  assert.deepEqual(
    readComments("/* one\n * two */\nconst a = 'https://x'; // three\nconst b = 1;\n").map(({ line, text }) => [
      line,
      text.trim(),
    ]),
    [
      [1, '/* one'],
      [2, '* two */'],
      [3, 'three'],
    ],
  );
});
