import type { ContactWords } from '../shapes.ts';

export const contact: ContactWords = {
  title: 'Contact',
  description: 'Write to us about sending SMS in the Philippines.',
  heading: 'Tell us what you want to send',
  lead: 'How many, to whom, and by when. The form goes straight to our team.',
  form: {
    name: 'Your name',
    company: 'Company',
    email: 'Email',
    phone: 'Phone',
    message: 'Your message',
    optional: 'optional',
    trap: 'Leave this empty',
    submit: 'Send enquiry',
    sending: 'Sending…',
    done: 'Your enquiry has arrived',
    doneText: 'We answer to the email address you gave.',
    missing: {
      name: 'Give your name.',
      email: 'Give your email address.',
      message: 'Write at least 10 characters.',
    },
    badEmail: 'This is not an email address.',
    tooMany: 'Too many enquiries from your network. Try again later; your text is still here.',
    failed: 'The enquiry could not be sent. Your text is still here; try again.',
    noScript: 'Sending the form needs JavaScript in your browser.',
    privacy: 'What you write is stored and mailed to our staff so that they can answer.',
    privacyLink: 'Privacy policy',
  },
  aside: [
    {
      heading: 'Good to know',
      paragraphs: [
        'Tell us the kind of text (code, notice or marketing), roughly how many phones, and when the first message should go out.',
      ],
    },
    {
      heading: 'Already a customer?',
      paragraphs: ['Sign in first: many answers are in the console, next to the task or template in question.'],
    },
    {
      heading: 'You received a text you do not want?',
      paragraphs: [
        'Reply T to it: marketing to your number from that sender stops. Where your phone cannot answer the sender, write to us with the name it shows, and we pass it on.',
      ],
    },
  ],
};
