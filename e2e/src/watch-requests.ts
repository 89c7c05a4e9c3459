import type { Page, Request } from 'playwright-core';

const settledMs = 250;
const patienceMs = 4_000;

/** Tells when a page has asked nothing for a moment, events aside; one that waits for good is taken as it is. */
export function watchRequests(page: Page): () => Promise<void> {
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
    while (Date.now() < until && (open.size > 0 || Date.now() - last < settledMs)) await page.waitForTimeout(50);
    open.clear();
  };
}
