import type { ProseWords, SiteWords } from '../shapes.ts';

export const linkEnded: ProseWords = {
  title: 'This link has ended',
  description: 'The short link has expired, or its sender has closed it.',
  heading: 'This link has ended',
  lead: 'It has expired, or its sender has closed it.',
  sections: [
    {
      heading: 'What you can do',
      paragraphs: [
        'Ask the business that sent you the message for a new link. Its name stands where a message usually shows the number.',
        'If you do not know the sender, do not answer and do not give away any code or password.',
      ],
    },
  ],
};

export const linkUnknown: ProseWords = {
  title: 'There is no such link',
  description: 'No short link has this code.',
  heading: 'There is no such link',
  lead: 'No short link has this code.',
  sections: [
    {
      heading: 'What you can do',
      paragraphs: [
        'Open the link from the message itself. When it is typed by hand, large and small letters differ, and the code has eight of them.',
      ],
    },
  ],
};

export const linkBlocked: SiteWords['linkBlocked'] = {
  title: 'This link was disabled',
  description: 'We disabled this short link because it may be harmful.',
  heading: 'This link was disabled',
  lead: 'We disabled it because the page it leads to may be harmful.',
  sections: [
    {
      heading: 'What you can do',
      paragraphs: [
        'Do not answer the message, and do not give away any code, password or card number.',
        'If you entered something on the page before, tell your bank, and change the password.',
      ],
    },
  ],
  form: { label: 'What happened? Our staff read it. Leave out your own data.', send: 'Send report' },
};

export const linkReported: ProseWords = {
  title: 'Thank you for your report',
  description: 'Our staff will read your report.',
  heading: 'Thank you for your report',
  lead: 'Our staff will read it. The link stays disabled.',
  sections: [],
};
