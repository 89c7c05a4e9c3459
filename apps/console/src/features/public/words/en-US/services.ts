import type { ServiceWords } from '../shapes.ts';

export const services: ServiceWords = {
  title: 'Services',
  description: 'Bulk SMS from the console and single messages over HTTP, to phones in the Philippines.',
  heading: 'Two ways to send, one record',
  lead: 'People send from the console, software over HTTP. Templates, sender IDs, prices and records are the same for both.',
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
      text: 'For software that sends codes and notices as things happen.',
      points: [
        'HTTP and JSON, up to 1,000 messages a call',
        'Idempotency keys',
        'An application with its own secret, types and limits',
        'Signed callbacks with the state of each message',
      ],
      link: { href: '/services/cpaas', label: 'Message cloud (CPaaS)' },
    },
    {
      heading: 'Beneath both',
      text: 'We hand messages to carriers over SMPP 3.4 and write down every answer.',
      points: [
        'A message is recorded before it is sent',
        'Accepted and delivered are kept apart',
        'What is in doubt after a crash is not sent twice by chance',
        'Money moves only with an entry in the ledger',
      ],
    },
  ],
  more: {
    heading: 'See what it costs',
    text: 'List prices come from the table that charges.',
    links: [
      { href: '/price', label: 'See prices' },
      { href: '/contact', label: 'Contact' },
    ],
  },
};

export const saas: ServiceWords = {
  title: 'Marketing cloud (SaaS)',
  description: 'Bulk SMS tasks from a file, with reviewed templates, scheduling, quiet hours and live progress.',
  heading: 'From a file of phones to an answer for each',
  lead: 'The marketing cloud is the console: prepare a text, upload a list, confirm the cost, and watch the answers come in.',
  blocks: [
    {
      heading: 'Prepare',
      text: 'Write the text once and let a person review it.',
      points: [
        'Segments are counted as you type',
        'Rule violations are marked in place',
        'Variables such as {1} are filled from your file',
        'Sender IDs are registered and reviewed',
      ],
    },
    {
      heading: 'Check',
      text: 'The file is read as it is, and nothing is sent until you confirm.',
      points: [
        'Up to 2,000,000 rows of csv, xls or xlsx',
        'Rejected rows with line number and reason',
        'Real rows rendered before you send',
        'A test message to your own phone',
      ],
    },
    {
      heading: 'Send',
      text: 'Now, or at a time you choose.',
      points: [
        'Marketing waits from 21:00 to 07:00 Manila time',
        'Opted-out numbers are skipped',
        'Pause, resume or terminate at any moment',
        'Retry the failed ones when the task has ended',
      ],
    },
    {
      heading: 'Know',
      text: 'What the carrier said and what the phone said, side by side.',
      points: [
        'Live progress in one hundred panes',
        'Send detail for every number',
        'Records that can be filtered and exported',
        'Balance, ledger and a monthly statement',
      ],
    },
    {
      heading: 'Keep watch',
      text: 'Delivery thresholds look after what is sent while you do not.',
      points: [
        'Limits by the hour, day or month, in messages, segments or pesos',
        'An alert, or a pause, when the delivery rate falls',
        'At most so many texts to one phone',
        'Word by email, SMS or webhook',
      ],
    },
    {
      heading: 'Follow up',
      text: 'Audiences that are kept, and links that say who opened them.',
      points: [
        'Message groups: imported, merged, or made of a task’s outcome',
        'Short links with a code of its own for each recipient, at the same length, so segments stay as they were counted',
        'Clicks by people apart from programs that look at links before people do',
        'Clicks by task, carrier, system and hour',
      ],
    },
  ],
  more: {
    heading: 'Questions',
    text: 'The FAQ says how each of it works and what it costs.',
    links: [
      { href: '/faq', label: 'Read the FAQ' },
      { href: '/contact', label: 'Contact' },
    ],
  },
};

export const cpaas: ServiceWords = {
  examples: ['Example of a call', 'Example of a callback'],
  title: 'Message cloud (CPaaS)',
  description:
    'Send verification codes and notices from your software over HTTP with JSON, and be told by signed callbacks what became of each.',
  heading: 'Messages from your own software',
  lead: 'The message cloud is an HTTP API. A message is answered once it is durable, and you are told what became of it.',
  blocks: [
    {
      heading: 'Send',
      text: 'One POST with one message, or with up to 1,000.',
      points: [
        'A reviewed template with values, or a text of its own',
        'Verification code, notification or marketing',
        'The answer bears a message id and the number of segments',
      ],
      link: { href: '/api/docs', label: 'API reference' },
    },
    {
      heading: 'Retry without fear',
      text: 'The same Idempotency-Key gives the same answer and sends nothing twice.',
      points: ['Use it whenever a connection breaks', 'The same key with another body is refused'],
    },
    {
      heading: 'Read',
      text: 'Ask for a message by its id and see how far it came.',
      points: [
        'Accepted by us, submitted, delivered, undelivered, expired, rejected, unknown or blocked',
        'The carrier’s own code beside it',
      ],
    },
    {
      heading: 'Be told',
      text: 'What becomes of a message is pushed to your callback URL.',
      points: [
        'Signed as Standard Webhooks describes',
        'Tried again for about three days while your server is away',
        'A log of every try; replay from any time',
      ],
    },
    {
      heading: 'Hear back',
      text: 'A text that a phone sends in answer reaches your software too.',
      points: ['Beside the message it answers', 'A refusal such as T counts as an opt-out at once'],
    },
    {
      heading: 'Keep it yours',
      text: 'Each application has its own secret and limits.',
      points: [
        'The secret is shown once and rotated with an overlap',
        'Allowed IP addresses',
        'Verification codes go before notices and marketing',
      ],
    },
  ],
  more: {
    heading: 'Not there yet',
    text: 'Your software cannot bind over SMPP yet. HTTP is the way in for now.',
    links: [
      { href: '/api/docs', label: 'API reference' },
      { href: '/contact', label: 'Contact' },
    ],
  },
};
