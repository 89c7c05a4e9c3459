import { ensureTexts } from '../../lib/i18n/text-store.ts';
import { hasUnsaved } from '../../lib/unsaved.ts';

/**
 * Screens are loaded on demand. A chunk can fail because the connection broke or because a newer release replaced it;
 * the second is fixed by one reload, which must never become a loop.
 */
const reloadedKey = 'pahatid_reloaded_at';
const quietMs = 60_000;
/** Specification §2: loading a chunk times out after 120 seconds. */
const chunkTimeoutMs = 120_000;

export class ChunkLoadError extends Error {
  override name = 'ChunkLoadError';
}

const browserMessages =
  /dynamically imported module|importing a module script|unable to preload css|module script failed/i;

/** Whether an error means that code or style sheets did not arrive. */
export function isLoadError(error: unknown): boolean {
  return error instanceof ChunkLoadError || (error instanceof Error && browserMessages.test(error.message));
}

/**
 * Reloads the page unless it was reloaded for the same cause a minute ago, or has unsaved input. Returns whether it
 * did.
 */
export function reloadOnceForStaleChunk(): boolean {
  if (!navigator.onLine || hasUnsaved()) return false;
  try {
    const last = Number(sessionStorage.getItem(reloadedKey) ?? 0);
    if (Date.now() - last < quietMs) return false;
    sessionStorage.setItem(reloadedKey, String(Date.now()));
  } catch {
    // Without storage it is unknown whether we already did, so don't.
    return false;
  }
  window.location.reload();
  return true;
}

/** Wraps a dynamic import with the time-out and one reload for a stale chunk. */
export async function loadChunk<T>(load: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ChunkLoadError('The screen did not arrive in time')), chunkTimeoutMs);
  });
  try {
    return await Promise.race([load(), timeout]);
  } catch (error) {
    if (!isLoadError(error)) throw error;
    if (reloadOnceForStaleChunk()) return await new Promise<never>(() => {});
    // With our own text: the router would recognize the browser's text too, and reload again.
    throw error instanceof ChunkLoadError ? error : new ChunkLoadError('Code did not arrive', { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/** The same for code that is not part of the console and has separate texts: account recovery, puzzles, invitations. */
export async function loadWithTexts<T>(load: () => Promise<T>): Promise<T> {
  return loadChunk(async () => {
    const [module] = await Promise.all([load(), ensureTexts('arrival')]);
    return module;
  });
}
