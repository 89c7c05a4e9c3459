import type { Page, Request } from 'playwright-core';

const patienceMs = 4_000;

/** Tells when a page has asked nothing for so long, events aside; one that waits for good is taken as it is. */
export function watchRequests(page: Page, quietMs: number): () => Promise<void> {
  const open = new Set<Request>();
  let last = 0;
  page.on('request', (request) => {
    if (!/\/events/.test(request.url())) open.add(request);
  });
  const end = (request: Request): void => {
    open.delete(request);
    last = Date.now();
  };
  page.on('requestfinished', end).on('requestfailed', end);
  return async () => {
    const until = Date.now() + patienceMs;
    while (Date.now() < until && (open.size > 0 || Date.now() - last < quietMs)) await page.waitForTimeout(25);
    open.clear();
  };
}
