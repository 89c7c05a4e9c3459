/**
 * The page's first script requests the session while the rest of the program is loading. The response serves the first
 * read; later ones request it again.
 */
declare global {
  var __pahatid_session: Promise<Response> | undefined;
}

export function takeEarlySession(method: string, path: string): Promise<Response> | undefined {
  if (method !== 'GET' || path !== '/session') return undefined;
  const early = globalThis.__pahatid_session;
  globalThis.__pahatid_session = undefined;
  return early;
}
