/** `npm run generate`: writes every file that is made out of sources. `npm run check` refuses one that is stale. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { SETTINGS } from '../apps/server/src/process/settings.ts';
import { makeCliOperations } from '../packages/contract/src/client-operations.ts';
import { makeClientEnums, makeClientTypes } from '../packages/contract/src/client-types.ts';
import { makePublishedOpenApi } from '../packages/contract/src/openapi-published.ts';

const root = path.join(import.meta.dirname, '..');

interface Generated {
  /** From the root of the checkout. */
  readonly file: string;
  /**
   * Returns the whole content of the file; `now` is its current content, null if it does not exist. Null: nothing to
   * generate.
   */
  readonly make: (now: string | null) => string | null;
}

export const generated: readonly Generated[] = [
  {
    file: 'packages/contract/generated/openapi.json',
    make: () => `${JSON.stringify(makePublishedOpenApi(), null, 2)}\n`,
  },
  {
    file: 'packages/client/src/generated/operations.ts',
    make: makeClientTypes,
  },
  {
    file: 'packages/client/src/generated/enums.ts',
    make: makeClientEnums,
  },
  {
    file: 'apps/cli/src/generated/operations.ts',
    make: makeCliOperations,
  },
  {
    file: 'README.md',
    make: (now) => now && replaceSection(now, 'settings', settingsTable()),
  },
];

/** Replaces the text between `<!-- NAME -->` and `<!-- /NAME -->`. */
function replaceSection(text: string, name: string, content: string): string {
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [start, end] = [text.indexOf(open), text.indexOf(close)];
  if (start < 0 || end < start) return text;
  return `${text.slice(0, start + open.length)}\n${content}\n${text.slice(end)}`;
}

function settingsTable(): string {
  const rows = SETTINGS.map(({ name, fallback, meaning }) => `| \`${name}\` | ${fallback} | ${meaning} |`);
  return ['| variable | default | meaning |', '|---|---|---|', ...rows].join('\n');
}

/** Files that are not what their generator makes now. */
export function findStale(): { file: string; content: string }[] {
  const stale: { file: string; content: string }[] = [];
  for (const { file, make } of generated) {
    const place = path.join(root, file);
    const now = existsSync(place) ? readFileSync(place, 'utf8') : null;
    const content = make(now);
    if (content !== null && content !== now) stale.push({ file, content });
  }
  return stale;
}

if (import.meta.main) {
  for (const { file, content } of findStale()) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), content);
    console.log(`wrote ${file}`);
  }
}
