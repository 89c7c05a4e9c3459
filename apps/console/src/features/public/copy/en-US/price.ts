import type { PriceCopy } from '../shapes.ts';

export const price: PriceCopy = {
  title: 'Price',
  description: 'List prices per SMS segment in the Philippines by carrier and type, and a calculator.',
  heading: 'Price per segment',
  lead: 'You pay for segments, not for characters or recipients. These are the current list prices, from the same table that is used for charging.',
  table: 'List prices in the Philippines, PHP per segment',
  carrier: 'Carrier',
  types: ['Verification code', 'Notification', 'Marketing'],
  perSegment: 'per segment',
  other: 'Carrier unknown',
  rules: {
    heading: 'How charging works',
    points: [
      'A text of up to 160 GSM characters is one segment; longer texts are sent in segments of 153. With any other character the limits are 70 and 67.',
      'SenderPays: a segment is charged when the carrier accepts it. ReceiverPays: a segment is charged when the receipt reports it as delivered.',
      'A message that the carrier refuses is not charged.',
      'The estimated cost of a task is reserved when you confirm it, and settled when it ends.',
      'A price agreed with a customer replaces the list price.',
    ],
  },
  calculator: {
    heading: 'Calculator',
    lead: 'Phones × segments × price.',
    phones: 'Phones',
    segments: 'Segments per message',
    type: 'Type',
    total: 'Estimate',
    note: 'Estimated at list prices. The console calculates a task’s cost from its file.',
    range: 'depending on the carrier',
    invalid: 'Enter whole numbers: 1 to 2,000,000 phones, 1 to 10 segments.',
    noScript:
      'Multiply phones by segments by the price in the table. Example: 1,000 phones with 2 segments each are 2,000 segments.',
  },
};
