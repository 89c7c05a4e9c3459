import type { PriceWords } from '../shapes.ts';

export const price: PriceWords = {
  title: 'Price',
  description: 'List prices per SMS segment in the Philippines by carrier and type, and a calculator.',
  heading: 'Price per segment',
  lead: 'You pay for segments, not for characters or recipients. These are the list prices in force now, read from the same table that charges.',
  table: 'List prices in the Philippines, PHP per segment',
  carrier: 'Carrier',
  types: ['Verification code', 'Notification', 'Marketing'],
  perSegment: 'per segment',
  other: 'Carrier unknown',
  rules: {
    heading: 'How charging works',
    points: [
      'A text of up to 160 GSM characters is one segment; longer ones travel in segments of 153. With any other character it is 70, then 67.',
      'SenderPays: a segment is charged when the carrier accepts it. ReceiverPays: when the receipt says it was delivered.',
      'A message that the carrier refuses costs nothing.',
      'The estimate of a task is held back when you confirm it, and settled when it ends.',
      'A price may be agreed for one customer; it then stands in place of the list price.',
    ],
  },
  calculator: {
    heading: 'Calculator',
    lead: 'Phones × segments × price.',
    phones: 'Phones',
    segments: 'Segments per message',
    type: 'Type',
    total: 'Estimate',
    note: 'An estimate by list prices. The console computes a task’s cost from its real file.',
    range: 'depending on the carrier',
    invalid: 'Enter whole numbers: 1 to 2,000,000 phones, 1 to 10 segments.',
    noScript:
      'Multiply phones by segments by the price in the table. Example: 1,000 phones with 2 segments are 2,000 segments.',
  },
};
