import type { ProseCopy, SiteCopy } from '../shapes.ts';

export const linkEnded: ProseCopy = {
  title: 'This link has ended',
  description: 'The short link has expired, or its sender has disabled it.',
  heading: 'This link has ended',
  lead: 'It has expired, or its sender has disabled it.',
  sections: [
    {
      heading: 'What you can do',
      paragraphs: [
        'Ask the business that sent you the message for a new link. Its name is shown where a message usually shows the number.',
        'If you do not know the sender, do not reply, and do not share any code or password.',
      ],
    },
  ],
};

export const linkUnknown: ProseCopy = {
  title: 'Link not found',
  description: 'No short link has this code.',
  heading: 'Link not found',
  lead: 'No short link has this code.',
  sections: [
    {
      heading: 'What you can do',
      paragraphs: [
        'Open the link from the message itself. If you type it, use the same uppercase and lowercase letters; the code has eight characters.',
      ],
    },
  ],
};

export const linkBlocked: SiteCopy['linkBlocked'] = {
  title: 'This link was disabled',
  description: 'We disabled this short link because it may be harmful.',
  heading: 'This link was disabled',
  lead: 'We disabled it because the page it leads to may be harmful.',
  sections: [
    {
      heading: 'What you can do',
      paragraphs: [
        'Do not reply to the message, and do not share any code, password or card number.',
        'If you entered anything on that page, contact your bank and change your password.',
      ],
    },
  ],
  form: { label: 'What happened? Our staff will read it. Do not include personal data.', send: 'Send report' },
};

export const linkReported: ProseCopy = {
  title: 'Thank you for your report',
  description: 'Our staff will read your report.',
  heading: 'Thank you for your report',
  lead: 'Our staff will read it. The link stays disabled.',
  sections: [],
};
