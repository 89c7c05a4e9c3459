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

export const saas: ServiceCopy = {
  title: 'Marketing cloud (SaaS)',
  description: 'Bulk SMS tasks from a file, with reviewed templates, scheduling, quiet hours and live progress.',
  heading: 'Send one template to a list and track every phone',
  lead: 'The marketing cloud is the console: prepare a text, upload a list, confirm the cost, and watch the results arrive.',
  blocks: [
    {
      heading: 'Prepare',
      text: 'Write the text once and submit it for review.',
      points: [
        'Segments are counted as you type',
        'Rule violations are marked in place',
        'Variables such as {1} are filled from your file',
        'Sender IDs are registered and reviewed',
      ],
    },
    {
      heading: 'Check',
      text: 'Every row of the file is checked, and nothing is sent until you confirm.',
      points: [
        'Up to 2,000,000 rows of csv, xls or xlsx',
        'Rejected rows with line number and reason',
        'Preview of real rows before you send',
        'A test message to your own phone',
      ],
    },
    {
      heading: 'Send',
      text: 'Now, or at a time you choose.',
      points: [
        'Marketing is held from 21:00 to 07:00 Manila time',
        'Opted-out numbers are skipped',
        'Pause, resume or terminate at any time',
        'Retry failed recipients when the task has ended',
      ],
    },
    {
      heading: 'Track',
      text: 'See the carrier’s response and the phone’s receipt for each message.',
      points: [
        'Live progress of each task',
        'Send detail for every number',
        'Records that can be filtered and exported',
        'Balance, ledger and a monthly statement',
      ],
    },
    {
      heading: 'Monitor',
      text: 'Delivery thresholds monitor your sending automatically.',
      points: [
        'Limits per hour, day or month, in messages, segments or pesos',
        'An alert, or a pause, when the delivery rate falls',
        'A maximum number of texts per phone',
        'Alerts by email, SMS or webhook',
      ],
    },
    {
      heading: 'Follow up',
      text: 'Saved audiences, and links that show who opened them.',
      points: [
        'Message groups: imported, merged, or created from a task’s results',
        'Short links with a separate code of the same length for each recipient, so the segment count stays the same',
        'Clicks by people, counted separately from bots',
        'Clicks by task, carrier, system and hour',
      ],
    },
  ],
  more: {
    heading: 'Questions',
    text: 'The FAQ explains how each feature works and what it costs.',
    links: [
      { href: '/faq', label: 'Read the FAQ' },
      { href: '/contact', label: 'Contact' },
    ],
  },
};

export const cpaas: ServiceCopy = {
  examples: ['Example of a call', 'Example of a callback'],
  title: 'Message cloud (CPaaS)',
  description:
    'Send verification codes and notices from your software over HTTP with JSON, and receive the status of each message by signed callbacks.',
  heading: 'Messages from your own software',
  lead: 'The message cloud is an HTTP API. It responds once a message is stored durably, and reports later status changes by callback.',
  blocks: [
    {
      heading: 'Send',
      text: 'One POST request with up to 1,000 messages.',
      points: [
        'A reviewed template with values, or your own text',
        'Verification code, notification or marketing',
        'The response contains a message ID and the number of segments',
      ],
      link: { href: '/docs/reference', label: 'API reference' },
    },
    {
      heading: 'Retry safely',
      text: 'The same Idempotency-Key returns the same response and sends nothing twice.',
      points: ['Use it whenever a connection breaks', 'The same key with another body is refused'],
    },
    {
      heading: 'Read',
      text: 'Get a message by its ID and see its status.',
      points: [
        'Accepted by us, submitted, delivered, undelivered, expired, rejected, unknown or blocked',
        'The carrier’s own status code',
      ],
    },
    {
      heading: 'Callbacks',
      text: 'Status changes of a message are pushed to your callback URL.',
      points: [
        'Signed according to Standard Webhooks',
        'Retried for about three days while your server is unavailable',
        'A log of every attempt; replay events from a chosen time',
      ],
    },
    {
      heading: 'Replies',
      text: 'Replies from phones are pushed to your software too.',
      points: ['Linked to the message they answer', 'A reply such as T is recorded as an opt-out immediately'],
    },
    {
      heading: 'Security and limits',
      text: 'Each application has its own secret and limits.',
      points: [
        'The secret is shown once; the old and new one overlap during rotation',
        'Allowed IP addresses',
        'Verification codes are sent before notices and marketing',
      ],
    },
  ],
  more: {
    heading: 'Not available yet',
    text: 'Your software cannot connect over SMPP yet. Use HTTP for now.',
    links: [
      { href: '/docs/reference', label: 'API reference' },
      { href: '/contact', label: 'Contact' },
    ],
  },
};
