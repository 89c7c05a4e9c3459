import type { ServiceCopy } from '../shapes.ts';

export const services: ServiceCopy = {
  title: 'Services',
  description: 'Bulk SMS from the console and single messages over HTTP, to phones in the Philippines.',
  heading: 'Console and API, one record',
  lead: 'Your team sends from the console, your software over HTTP. Templates, sender IDs, prices and records are the same for both.',
  blocks: [
    {
      heading: 'Marketing cloud',
      text: 'For teams that send campaigns and notices to a list of phones.',
      points: [
        'Bulk tasks from csv, xls or xlsx',
        'Reviewed templates with variables',
        'Quiet hours and opt-outs for marketing',
        'Live progress and a record for each phone',
      ],
      link: { href: '/services/saas', label: 'Marketing cloud (SaaS)' },
    },
    {
      heading: 'Message cloud',
      text: 'For software that sends codes and notices when events occur.',
      points: [
        'HTTP and JSON, up to 1,000 messages per call',
        'Idempotency keys',
        'An application with its own secret, types and limits',
        'Signed callbacks with the status of each message',
      ],
      link: { href: '/services/cpaas', label: 'Message cloud (CPaaS)' },
    },
    {
      heading: 'Shared engine',
      text: 'Messages are submitted to carriers over SMPP 3.4, and every response is recorded.',
      points: [
        'A message is recorded before it is sent',
        'Accepted and delivered are shown separately',
        'Unconfirmed messages are not sent twice by accident after a crash',
        'Every charge has an entry in the ledger',
      ],
    },
  ],
  more: {
    heading: 'Prices',
    text: 'List prices come from the same table that is used for charging.',
    links: [
      { href: '/price', label: 'See prices' },
      { href: '/contact', label: 'Contact' },
    ],
  },
};
