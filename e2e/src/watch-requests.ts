import type { Page, Request } from 'playwright-core';

/** In the page: when it has worked through what came. */
const idle = 'new Promise((done) => requestIdleCallback(done, { timeout: 5_000 }))';

/** Reports when a page has made no request for so long, except events; one that waits forever is accepted as it is. */
export function watchRequests(page: Page, quietMs: number, patienceMs = 4_000): () => Promise<void> {
  const open = new Set<Request>();
  let last = 0;
  page.on('request', (request) => {
    // What the page before it still asked for may never be reported as ended.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) open.clear();
    if (!/\/events/.test(request.url())) open.add(request);
  });
  const end = (request: Request): void => {
    open.delete(request);
    last = Date.now();
  };
  page.on('requestfinished', end).on('requestfailed', end);
  // A page may leave the body of a refusal unread, and its end is then never reported.
  page.on('response', (response) => {
    if (response.status() >= 400) end(response.request());
  });
  return async () => {
    const until = Date.now() + patienceMs;
    const isBusy = (): boolean => Date.now() < until && (open.size > 0 || Date.now() - last < quietMs);
    do {
      while (isBusy()) await page.waitForTimeout(25);
      // A script that came may not have run yet, and asks for more; a page that leaves meanwhile asks as well.
      await page.evaluate(idle).catch(() => undefined);
    } while (isBusy());
    open.clear();
  };
}
