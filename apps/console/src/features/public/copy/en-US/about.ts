import type { ProseCopy } from '../shapes.ts';

export const about: ProseCopy = {
  title: 'About',
  description: 'What Pahatid is, what its name means, and the principles it follows.',
  heading: 'Every message, and its result',
  lead: 'Pahatid is Tagalog for a message sent to someone. We build a console and an engine that send SMS in the Philippines and report the result of each message.',
  sections: [
    {
      heading: 'Why it exists',
      paragraphs: [
        'Many systems call a message “successful” as soon as a carrier has accepted it. Whether the phone received it is a separate question, and the answer comes later.',
        'We record both answers and show them separately.',
      ],
    },
    {
      heading: 'Our principles',
      paragraphs: [],
      points: [
        'Unknown is reported as unknown, never as delivered.',
        'No task is sent before you confirm it, and you see its cost before you confirm.',
        'A number that cannot be read with certainty is rejected, never guessed.',
        'After a failure, an unconfirmed message is held rather than sent twice, unless you choose otherwise.',
        'Recipients who opt out receive no more marketing.',
      ],
    },
    {
      heading: 'The design',
      paragraphs: [
        'Old Philippine houses have windows of small capiz-shell panes. In Pahatid, each pane is a share of recipients, and it lights up when receipts arrive. Mango marks what is in progress or needs your attention.',
      ],
    },
    {
      heading: 'What this site does not show',
      paragraphs: [
        'No customer names, testimonials or traffic figures. Pictures with numbers are marked “Sample data”.',
      ],
    },
  ],
};
