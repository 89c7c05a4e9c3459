/** Requests for an account as the API returns them, for states of the console. */
import type { Page } from 'playwright-core';
import type { Words } from './words.ts';

const open = {
  accountRequestId: '01a20000-0000-7000-8000-000000000001',
  state: 'pending',
  requestTime: '2026-11-20T02:15:00.000Z',
  name: 'Maria Reyes',
  company: 'Sampaguita Clinic',
  email: 'maria@sampaguita.example',
  phone: '0917 555 0142',
  uses: ['notices', 'campaigns'],
  monthlyVolume: 'to100k',
  channels: ['console', 'software'],
  senderId: 'SAMPAGUITA',
  firstMessageDay: '2026-12-08',
  message: 'Appointment reminders the evening before, and opening hours at Christmas.',
  locale: 'en-US',
  confirmTime: '2026-11-20T02:31:00.000Z',
  decideTime: null,
  decidedBy: null,
  reason: null,
  openedCustomerId: null,
};
const other = (last: number, change: object) => ({
  ...open,
  accountRequestId: `01a20000-0000-7000-8000-00000000000${last}`,
  ...change,
});
const decided = { decideTime: '2026-11-19T05:00:00.000Z', decidedBy: 'Ana Cruz' };
const items = [
  open,
  other(2, {
    ...{ company: 'Bayani Logistics and Warehousing Corporation', name: 'Jose Santos', email: 'jose@bayani.example' },
    ...{ state: 'unconfirmed', uses: ['codes', 'notices', 'campaigns'], monthlyVolume: 'more' },
  }),
  other(3, {
    ...decided,
    company: 'Luntian Farms',
    name: 'Lea Ramos',
    email: 'lea@luntian.example',
    state: 'approved',
  }),
  other(4, {
    ...{ ...decided, company: 'Quick Win Co', name: 'Max', email: 'max@quickwin.example', state: 'rejected' },
    ...{ monthlyVolume: 'under10k', reason: 'We could not find the company.' },
  }),
];

/** Answers the calls of the screen with these while it is opened. */
export const accountRequests =
  (act: (page: Page, t: Words) => Promise<void>) =>
  async (page: Page, t: Words): Promise<void> => {
    const pattern = /\/api\/v1\/account-requests/;
    await page.route(pattern, (route) => {
      const one = items.find(({ accountRequestId }) => route.request().url().endsWith(accountRequestId));
      return route.fulfill({ json: one ?? { items, nextCursor: null } });
    });
    await act(page, t);
    await page.unroute(pattern);
  };
