import type { CpaasCopy } from '../shapes.ts';

export const cpaas: CpaasCopy = {
  title: 'Message cloud (CPaaS)',
  description:
    'Send verification codes and notices from your software over HTTP or SMPP 3.4, and receive the status of each message by signed callbacks.',
  heading: 'Messages from your own software',
  lead: 'Submit one message or a thousand, over HTTP or SMPP 3.4. The response comes once the messages are stored durably, and the status of each follows by callback or receipt.',
  sample: 'Sample data',
  flow: {
    label:
      'Your software submits messages over HTTP or SMPP 3.4; Pahatid submits them to Globe, Smart and DITO over SMPP 3.4; receipts, replies and callbacks come back.',
    columns: ['Your software', 'Pahatid', 'Carriers', 'Phones'],
    http: ['HTTP and JSON', 'up to 1,000 per call'],
    smpp: ['SMPP 3.4', 'with your own gateway'],
    steps: ['Rules and segments', 'Price and balance', 'Stored durably', 'Route and rate'],
    answered: 'then the call is answered',
    back: 'receipts, replies and callbacks',
  },
  life: {
    heading: 'The life of one message',
    text: 'Every step is recorded with its time. Read it by message ID, or have it pushed to you.',
    stations: [
      ['Accepted by us', '09:41:02.118', '202 is answered after the commit: a crash loses nothing.'],
      ['Submitted', '09:41:02.131', 'To the carrier of the number, one segment.'],
      ['Accepted by the carrier', '09:41:02.204', 'With the carrier’s message ID.'],
      ['Delivered', '09:41:05.872', 'The receipt says DELIVRD.'],
      ['Callback', '09:41:05.940', 'Signed, and your server answered 200.'],
    ],
  },
  retry: {
    heading: 'Retry safely',
    text: 'When a connection breaks you cannot know whether the call arrived. Repeat it: the same key returns the same response, and the phone gets one message.',
    points: [
      'One POST for one message, or for up to 1,000',
      'The same key with another body is refused',
      'The response contains the message ID and the number of segments',
      'Test keys use the whole path, free of charge and without a phone',
    ],
    example: 'Example of a call',
  },
  callbacks: {
    heading: 'Callbacks that wait for your server',
    text: 'Events are stored and retried for about three days. While your address is down one event probes it and the others wait, so a server that returns is not flooded.',
    points: [
      'Signed according to Standard Webhooks',
      'A log of every attempt; replay events from a chosen time',
      'Events of one message arrive in their order',
    ],
    log: 'Callback log',
    events: [
      ['09:41:05', 'message.status', 'delivered', '200 in 38 ms'],
      ['09:40:51', 'message.inbound', '“Thank you”', '200 in 41 ms'],
      ['09:36:12', 'message.status', 'undelivered', '200 on attempt 3'],
      ['09:35:58', 'message.status', 'delivered', 'Next in 5 min'],
    ],
    waits: 'Retried after',
    units: ['5 s', '5 min', '30 min', '2 h', '5 h', '10 h', '14 h', '20 h', '24 h'],
  },
  verify: {
    heading: 'Verify: one-time codes',
    text: 'The code is made here, sent, checked, and its attempts are counted. It is stored hashed: after it was sent, neither you nor we can read it.',
    cards: [
      ['Your software', 'Requests a code', 'Only the phone number is needed. The code is never returned.'],
      ['The phone', 'Receives six digits', 'Verification codes are sent before notices, notices before marketing.'],
      ['Your software', 'Checks the code', 'Right, wrong or expired. After five wrong codes the verification ends.'],
    ],
    brand: 'YOURBRAND',
    bubble: '482913 is your sign-in code. It is valid for 5 minutes.',
    limits: [
      ['6 digits', '4 to 10 on request'],
      ['5 minutes', 'valid, unless you choose otherwise'],
      ['5 attempts', 'then the verification ends'],
      ['60 seconds', 'before another code can be sent'],
    ],
  },
  own: {
    heading: 'Separate settings for each application',
    keys: {
      heading: 'Keys with scopes',
      text: 'Several keys, each with its scopes, expiry and allowed addresses. The old and the new one overlap during rotation.',
      picture: ['old key', 'new key'],
    },
    addresses: {
      heading: 'Allowed IP addresses',
      text: 'A call from any other address is refused, and the error names it.',
    },
    lanes: {
      heading: 'Three lanes',
      text: 'A campaign of a million messages does not delay a verification code.',
      names: ['Verification', 'Notification', 'Marketing'],
    },
  },
  more: {
    heading: 'Send your first message',
    text: 'The quick start uses a test key and takes two minutes.',
    links: [
      { href: '/docs', label: 'Quick start' },
      { href: '/docs/reference', label: 'API reference' },
    ],
  },
};
