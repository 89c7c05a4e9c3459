/**
 * The page's first script asks who is signed in while the rest of the program is still on its way. The answer serves the
 * first question; later ones are asked anew.
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
