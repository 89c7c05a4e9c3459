import type { SaasCopy } from '../shapes.ts';

export const saas: SaasCopy = {
  title: 'Marketing cloud (SaaS)',
  description: 'Bulk SMS tasks from a file, with reviewed templates, scheduling, quiet hours and live progress.',
  heading: 'Send one template to a list and track every phone',
  lead: 'The marketing cloud is the console: prepare a text, upload a list, confirm the cost, and watch the results arrive.',
  sample: 'Sample data',
  write: {
    heading: 'Write the text once',
    text: 'Segments are counted and rules are checked as you type. Each finding says where and why, and most are fixed with one click. Then a person reviews the template.',
    points: ['Reviewed in about 2 hours within review hours', 'The approved version stays in use while you edit'],
    editor: {
      name: 'Template · Marketing',
      before: ', our clinic is open on Dec 8 and 30. Book at ',
      bad: '【clinic.example】',
      between: ' or call us. It',
      after: 's first come, first served.',
      counts: '111 characters, 2 segments',
      cause: 'Unicode because of ’',
      findings: [
        { text: 'Brackets 【】 cannot be used', reason: 'Nor symbols such as ￥ and ★', fix: 'Remove both' },
        { text: 'No text to unsubscribe', reason: 'Reply T to unsubscribe', fix: 'Add the line' },
        { text: 'The curly ’ makes it Unicode', reason: "With a plain ' a segment holds 160", fix: 'Replace' },
      ],
    },
  },
  check: {
    heading: 'Check the list before it is sent',
    text: 'Upload the file you have. Every row that cannot be used is kept with its line number, its text and the reason; the others are sent.',
    points: [
      'csv, xls and xlsx, up to 200 MB and 2,000,000 rows',
      'Preview of real rows, and a test message to your own phone',
      'Nothing is sent until you confirm the cost',
    ],
    file: 'patients-december.xlsx',
    read: 'Checked',
    rows: [
      ['Rows', '12,614'],
      ['Duplicates', '83'],
      ['Opted out', '19'],
      ['Rejected', '32'],
    ],
    sums: [
      ['Recipients', '12,480'],
      ['Cost at ₱0.35', '₱4,368.00'],
    ],
    rejectedHeading: 'Rejected rows',
    rejected: [
      ['9.17556E+09', '118', 'Damaged by the spreadsheet'],
      ['(02) 8123 4567', '240', 'A landline'],
      ['0917-555-01', '1,907', 'Too short'],
      ['n/a', '3,311', 'Not a number'],
    ],
  },
  clicks: {
    heading: 'See who opened the link',
    text: 'A short link with a separate code for each recipient. Programs that open links before people do are counted separately.',
    points: [
      'Every code has the same length, so the segment count stays the same',
      'Clicks by task, carrier, system and hour',
      'Recipients who clicked become a group for the next task',
    ],
    name: 'Book a visit',
    by: 'Clicks by hour, Manila time',
    figures: [
      ['Delivered', '11,702'],
      ['Clicked', '1,486'],
      ['Click rate', '12.7%'],
    ],
    people: 'People',
    programs: 'Programs',
  },
  charts: {
    heading: 'Charts that add up',
    text: 'Choose metric, dimension, filter and period, and keep the chart in a tab. A click on a bar opens the messages behind it; the same numbers stand below as a table.',
    points: [
      'The acceptance rate counts what was submitted, the delivery rate what was accepted',
      'Messages, records, statistics and bill agree to the last segment',
      'Download as csv or png',
    ],
    tabs: ['Delivery by day', 'By carrier', 'Cost'],
    legend: ['Delivered', 'Awaiting receipt', 'Failed'],
    month: 'Nov {day}',
  },
  more3: {
    heading: 'Limits and quiet hours',
    groups: {
      heading: 'Saved audiences',
      text: 'Merge, intersect or subtract groups, or create one from a task’s results.',
      picture: ['Clicked', 'Booked', 'To remind'],
    },
    limits: {
      heading: 'Delivery thresholds',
      text: 'Limits per hour, day or month. At the limit tasks pause; they do not fail.',
      today: 'Today',
      value: '₱7,200 of ₱10,000',
    },
    night: {
      heading: 'Quiet hours',
      text: 'Marketing is held from 21:00 to 07:00 Manila time and sent in the morning.',
    },
  },
  more: {
    heading: 'Start with your own list',
    text: 'Write to us. The owner of the account gets an invitation by email.',
    links: [
      { href: '/request-account', label: 'Request an account' },
      { href: '/price', label: 'See prices' },
    ],
  },
};
