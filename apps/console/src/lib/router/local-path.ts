/** A path of this site, or undefined: `next` must never lead elsewhere (`//evil.example`, `\\evil`, `https:`). */
export function localPath(next: string | undefined, origin = window.location.origin): string | undefined {
  if (!next?.startsWith('/') || /^\/[/\\]|[\\\p{Cc}]/u.test(next)) return undefined;
  try {
    const url = new URL(next, origin);
    return url.origin === origin ? url.pathname + url.search + url.hash : undefined;
  } catch {
    return undefined;
  }
}
