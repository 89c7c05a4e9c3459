import { sha256Head } from './sha256.ts';

/** The page stays answerable: so long at a time, then everything else gets its turn. */
const sliceMs = 10;
const hashesBetweenLooks = 500;

/** Finds a number whose SHA-256, after `prefix`, begins with so many zero bits. */
export async function findProof(prefix: string, bits: number, signal: AbortSignal): Promise<string> {
  for (let n = 0; ; ) {
    const end = performance.now() + sliceMs;
    while (performance.now() < end)
      for (const last = n + hashesBetweenLooks; n < last; n++)
        if (Math.clz32(sha256Head(prefix + n)) >= bits) return String(n);
    await new Promise((resolve) => setTimeout(resolve));
    signal.throwIfAborted();
  }
}
