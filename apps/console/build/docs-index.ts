/** The index of the documentation's search, one JSON file for each language, loaded when a reader searches. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { PublicLocale } from '../src/features/public/copy/shapes.ts';
import type { IndexEntry } from '../src/features/public/docs/find-matches.ts';
import { addressOfGuide } from '../src/features/public/docs/guide-list.ts';
import type { Guide } from '../src/features/public/docs/guide-shapes.ts';
import type { DocsContent } from '../src/features/public/docs/render-docs.tsx';
import { compressFile } from './compress.ts';

export async function writeDocsIndex(folder: string, docs: Record<PublicLocale, DocsContent>): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const [locale, { guides, reference, errors }] of Object.entries(docs)) {
    const file = `search.${locale}.json`;
    writeFileSync(path.join(folder, file), JSON.stringify([...guides, ...reference, ...errors].flatMap(indexGuide)));
    await compressFile(folder, file);
  }
}

const indexGuide = ({ slug, label, title, description, sections }: Guide): IndexEntry[] =>
  sections.map((section) => ({
    href: `${addressOfGuide(slug)}${section.id === '' ? '' : `#${section.id}`}`,
    page: label,
    title: section.id === '' ? title : section.title,
    text: section.id === '' ? `${description} ${section.text}`.trim() : section.text,
  }));
