/** Texts of customers whose software may send only what follows an approved template. */
import { listServingTemplates } from '@pahatid/db/queries/api-messages';
import { type CompiledTemplate, compileTemplate, matchTemplate } from '@pahatid/domain';
import type { Pool } from 'pg';

interface KnownTemplates {
  readonly atMs: number;
  readonly templates: readonly { templateId: string; smsType: number; compiled: CompiledTemplate }[];
}

const known = new Map<string, KnownTemplates>();
const MOST_KNOWN = 1_000;
/** As the rules of texts, a change acts within ten seconds; a new template immediately. */
const FRESH_MS = 5_000;

/** Returns the approved template of the application and send type that the text follows, or null. */
export async function findMatchingTemplate(
  control: Pool,
  appId: string,
  { smsType, content }: { readonly smsType: number; readonly content: string },
): Promise<string | null> {
  const match = ({ templates }: KnownTemplates): string | null =>
    templates.find((each) => each.smsType === smsType && matchTemplate(each.compiled, content) !== null)?.templateId ??
    null;
  const before = known.get(appId);
  if (before !== undefined && performance.now() - before.atMs < FRESH_MS) {
    const found = match(before);
    if (found !== null) return found;
  }
  return match(await readTemplates(control, appId));
}

async function readTemplates(control: Pool, appId: string): Promise<KnownTemplates> {
  const rows = await listServingTemplates(control, appId);
  const templates = rows.map((row) => ({ ...row, compiled: compileTemplate(row.content) }));
  const read = { atMs: performance.now(), templates };
  known.delete(appId);
  known.set(appId, read);
  if (known.size > MOST_KNOWN) known.delete(known.keys().next().value ?? '');
  return read;
}
