import type { ServicesCopy } from '../service-shapes.ts';

export const services: ServicesCopy = {
  title: 'Services',
  description: 'Bulk SMS from the console and single messages over HTTP or SMPP, to phones in the Philippines.',
  heading: 'Console and API, one record',
  lead: 'Your team sends from the console, your software over HTTP or SMPP. Templates, sender IDs, prices and records are the same for both.',
  sample: 'Sample data',
  saas: {
    heading: 'Marketing cloud',
    text: 'For teams that send campaigns and notices to a list of phones: reviewed templates, checked files, quiet hours, live progress.',
    link: 'Marketing cloud (SaaS)',
  },
  cpaas: {
    heading: 'Message cloud',
    text: 'For software that sends codes and notices when events occur: idempotent calls, signed callbacks, one-time codes.',
    link: 'Message cloud (CPaaS)',
    example: 'Example of a call',
  },
  engine: {
    heading: 'One engine for both',
    facts: [
      ['Stored before it is sent', 'A message is recorded durably, then submitted to the carrier over SMPP 3.4.'],
      ['Two results', 'What the carrier accepted and what the phone received are shown separately.'],
      ['Not sent twice', 'After a crash, a message whose outcome is unknown is held, not repeated.'],
      ['Every charge has an entry', 'Messages, records, statistics and ledger agree to the last segment.'],
    ],
  },
  more: {
    heading: 'Prices',
    text: 'List prices come from the same table that is used for charging.',
    links: [
      { href: '/price', label: 'See prices' },
      { href: '/request-account', label: 'Request an account' },
    ],
  },
};
