import type { AboutCopy } from '../service-shapes.ts';

export const about: AboutCopy = {
  title: 'About',
  description: 'What Pahatid is, what its name means, and the principles it follows.',
  heading: 'Every message, and its result',
  lead: 'Pahatid is Tagalog for a message sent to someone. We build a console and an engine that send SMS in the Philippines and report the result of each message.',
  why: {
    heading: 'Why it exists',
    text: 'Many systems call a message “successful” as soon as a carrier has accepted it. Whether the phone received it is a separate question, and the answer comes later.',
    usual: 'Success',
    comment: 'says too little on its own.',
  },
  answers: {
    heading: 'Two questions, two answers',
    text: 'We record both answers and show them separately, on every screen and in every report.',
    accepted: ['Accepted', 'The carrier took it'],
    delivered: ['Delivered', 'The phone received it'],
  },
  principles: {
    heading: 'Our principles',
    items: [
      ['Unknown is reported as unknown', 'It is never counted as delivered.'],
      ['No task is sent before you confirm it', 'And you see its cost before you confirm.'],
      ['Rejected, never guessed', 'A number that cannot be read with certainty is not sent to.'],
      ['Held rather than sent twice', 'After a failure, an unconfirmed message is held, unless you choose otherwise.'],
      ['An opt-out is respected', 'Recipients who opt out receive no more marketing.'],
    ],
  },
  window: {
    heading: 'The capiz window',
    text: 'Old Philippine houses have windows of small capiz-shell panes. In Pahatid, each pane is a share of recipients, and it lights up when receipts arrive.',
    legend: ['Delivered', 'Accepted, awaiting the receipt', 'Failed', 'In progress, or needs your attention'],
  },
  mark: {
    heading: 'The mark is a P, and a delivery',
    text: 'The tail of the message points to the hand it came from: the answer finds its way back.',
    parts: [
      ['The hand', 'The stem, in petrol'],
      ['The message', 'The bubble, in mango'],
      ['The gap', 'Between them, the delivery'],
    ],
  },
  note: {
    heading: 'What this site does not show',
    text: 'No customer names, testimonials or traffic figures. Pictures with numbers are marked “Sample data”.',
  },
  more: {
    heading: 'Describe what you want to send',
    text: 'How many messages, to whom, and by when. The form goes straight to our team.',
    links: [
      { href: '/request-account', label: 'Request an account' },
      { href: '/faq', label: 'Read the FAQ' },
    ],
  },
};
