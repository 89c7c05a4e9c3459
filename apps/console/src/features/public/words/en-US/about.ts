import type { ProseWords } from '../shapes.ts';

export const about: ProseWords = {
  title: 'About',
  description: 'What Pahatid is, what its name means, and what we hold on to.',
  heading: 'A message, and an answer',
  lead: 'Pahatid is Tagalog for a message sent to someone. We build a console and an engine that send SMS in the Philippines and say what became of each one.',
  sections: [
    {
      heading: 'Why it exists',
      paragraphs: [
        'Many systems call a message “successful” as soon as a carrier has taken it. Whether the phone received it is another question, with another answer, at another time.',
        'We ask both questions, keep both answers, and show them apart.',
      ],
    },
    {
      heading: 'What we hold on to',
      paragraphs: [],
      points: [
        'Unknown is called unknown. It is never rounded up to delivered.',
        'No task is sent before you confirm it, and you know its cost before you do.',
        'A number that cannot be read for certain is refused, never guessed.',
        'After a failure we would rather hold a message than send it twice unasked.',
        'Recipients who say no are left alone.',
      ],
    },
    {
      heading: 'The picture',
      paragraphs: [
        'Old Philippine houses have windows of small capiz-shell panes. In Pahatid a pane is a share of recipients, and it lights up when phones answer. Mango means that something is moving now, or needs you.',
      ],
    },
    {
      heading: 'What this site does not show',
      paragraphs: [
        'No customers’ names, no quotes and no traffic figures. Pictures with numbers are marked “Sample data”.',
      ],
    },
  ],
};
