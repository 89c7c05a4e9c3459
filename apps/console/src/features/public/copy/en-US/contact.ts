import type { ContactCopy } from '../shapes.ts';

export const contact: ContactCopy = {
  title: 'Contact',
  description: 'Write to us about sending SMS in the Philippines.',
  heading: 'Tell us what you want to send',
  lead: 'How many messages, to whom, and by when. The form goes directly to our team.',
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
    done: 'Your enquiry was sent',
    doneText: 'We will reply to the email address you entered.',
    missing: {
      name: 'Enter your name.',
      email: 'Enter your email address.',
      message: 'Enter at least 10 characters.',
    },
    badEmail: 'Enter a valid email address.',
    tooMany: 'Too many enquiries from your network. Try again later; your text is still here.',
    failed: 'The enquiry could not be sent. Your text is still here; try again.',
    noScript: 'To send the form, turn on JavaScript in your browser.',
    privacy: 'Your message is stored and emailed to our staff so that they can reply.',
    privacyLink: 'Privacy policy',
  },
  aside: [
    {
      heading: 'What to include',
      paragraphs: [
        'The SMS type (verification code, notification or marketing), the approximate number of phones, and when the first message should be sent.',
      ],
    },
    {
      heading: 'Already a customer?',
      paragraphs: ['Sign in first: many answers are in the console, next to the task or template.'],
    },
    {
      heading: 'Received an unwanted text?',
      paragraphs: [
        'Reply T to stop marketing from that sender to your number. If your phone cannot reply to the sender, send us the name it shows, and we will forward your request.',
      ],
    },
  ],
};
