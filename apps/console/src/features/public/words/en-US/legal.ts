import type { ProseWords } from '../shapes.ts';

export const terms: ProseWords = {
  title: 'Terms and conditions',
  description: 'The terms under which Pahatid is used: accounts, content, sending, charges and liability.',
  heading: 'Terms and conditions',
  lead: 'These terms describe how the service works and what both sides may expect. A written contract with a customer goes before them.',
  contents: 'On this page',
  note: 'Last changed on 22 November 2026',
  sections: [
    {
      heading: '1. The service',
      paragraphs: [
        'Pahatid lets business customers send SMS from a console and over an HTTP API, and shows what carriers and phones answered. Where you name an address for it, the same is pushed to your software. Messages are handed to carriers over SMPP; delivery itself is the carriers’ part.',
      ],
    },
    {
      heading: '2. Accounts',
      paragraphs: [
        'We open customer accounts; members are invited by an owner. Keep passwords, second factors and application secrets to yourselves. What is done with them counts as done by the customer. Tell us at once when one is lost; owners can remove members and rotate secrets themselves.',
      ],
    },
    {
      heading: '3. What may be sent',
      paragraphs: ['You send only to people who may be written to, and only lawful content.'],
      points: [
        'No financial, real-estate, immigration-politics, pornographic or violent content.',
        'Marketing ends with a line that tells how to unsubscribe by replying T.',
        'A sender ID names you or a brand you may use.',
        'A callback URL is an address of your own.',
        'No text may pretend to come from somebody else.',
      ],
    },
    {
      heading: '4. Review',
      paragraphs: [
        'Templates and sender IDs are reviewed by people, about 2 hours within review hours (Monday to Friday 9:00–21:00, Saturday and Sunday 9:00–18:00, later on public holidays). Types of text for which we have agreed so with you need no review. A task may be reviewed too. A rejection states its reason. An approval is no legal advice: you stay responsible for what you send.',
      ],
    },
    {
      heading: '5. Quiet hours and opt-outs',
      paragraphs: [
        'Marketing is held from 21:00 to 07:00 Manila time, unless something else was agreed with you. Numbers that have opted out are skipped in marketing tasks. Do not try to go round either.',
      ],
    },
    {
      heading: '6. Prices and charges',
      paragraphs: [
        'Charges are made by segment. With SenderPays a segment is charged when the carrier accepts it, with ReceiverPays when it is delivered by receipt. The estimate of a task is held back when it is confirmed; with ReceiverPays the cost of each message stays held back until its receipt comes or is overdue. The ledger in the console is the record of every charge.',
      ],
    },
    {
      heading: '7. What we promise, and what we do not',
      paragraphs: [
        'A message we have accepted is recorded durably before it is sent. After a failure, messages whose fate is unknown are held rather than sent again, unless you chose otherwise. We do not promise that a carrier delivers a message, nor in what time.',
      ],
    },
    {
      heading: '8. Pausing and ending',
      paragraphs: [
        'Our staff may pause or end a task, or suspend a customer, where these terms or the law are broken or the network is in danger. Each such act is written into an audit log.',
      ],
    },
    {
      heading: '9. Liability',
      paragraphs: [
        'Liability, applicable law and the place of jurisdiction are agreed in the contract with each customer.',
      ],
    },
    { heading: '10. Changes', paragraphs: ['When the service changes, this page changes with it.'] },
  ],
};

export const privacy: ProseWords = {
  title: 'Privacy policy',
  description: 'Which data Pahatid keeps about visitors, users and recipients, for how long, and how it is erased.',
  heading: 'Privacy policy',
  lead: 'What is kept, why, for how long, and how it goes away. It describes what the software does.',
  contents: 'On this page',
  note: 'Last changed on 22 November 2026',
  sections: [
    {
      heading: 'Visitors of this site',
      paragraphs: [
        'This site loads nothing from third parties and has no analytics. Two preferences may be kept in your browser: the language (umi_locale, also as a cookie) and light or dark. The contact form stores what you write, your language and your network address, and mails the text to our staff. Enquiries are kept until staff remove them; ask us and we will.',
      ],
    },
    {
      heading: 'Users of the console',
      paragraphs: [
        'We keep your account name, name, email address, phone number where you set one, role and preferences; your password only as an argon2id hash; sessions with address and browser so that you can see and end them; and an audit log of acts.',
        'Signing in needs a session cookie. Two more open nothing: one ties a puzzle or a code to your browser until you close it, one lets a browser in which you have signed in before be known again for 180 days. Your browser also remembers what you opened last and how you set up lists.',
      ],
    },
    {
      heading: 'Recipients',
      paragraphs: [
        'For our customers we process phone numbers, texts, and what carriers and phones answered. The customer decides to whom and why; we process on their behalf. Numbers and texts are handed to the carrier that delivers the message; what became of it, and what a phone replies, to the customer’s own software where the customer has named an address for it.',
        'When you open a short link of ours, we keep the time and the family of your system and browser; no network address and no cookie. Where the link was made for you alone, its sender sees that you opened it. Single clicks are kept as long as send records.',
      ],
    },
    {
      heading: 'How long',
      paragraphs: [],
      points: [
        'Send records, and what phones replied: 180 days unless the customer’s owner sets 30 to 400.',
        'Uploaded files: 30 days unless the owner sets 1 to 30.',
        'Exported files of records: 3 days, for the person who made them alone.',
        'What was pushed to a customer’s software: 30 days, without numbers and texts of its own.',
        'Mail we sent: 30 days. Notices in the console: 90 days.',
        'Numbers in message groups: until the customer takes them out.',
        'Ledger and audit log: without a limit.',
        'Opt-outs: as long as they are in force, so that the refusal is kept.',
      ],
    },
    {
      heading: 'Who sees what',
      paragraphs: [
        'Nothing of one customer is visible to another; the database itself enforces it. A customer’s owners and members see phone numbers whole; viewers and our staff see them masked. Exports, and each look of staff at a whole number, are written into the audit log. Secrets are encrypted at rest, and logs hold no phone numbers and no texts.',
      ],
    },
    {
      heading: 'Erasure',
      paragraphs: [
        'An owner can see all that is held about one number, download it, and erase it. Erasure empties the records of number and text and keeps the sums. If you are a recipient, write to the sender, or to us, and we pass it on.',
      ],
    },
    {
      heading: 'Your rights',
      paragraphs: [
        'Under the Philippine Data Privacy Act of 2012 you may ask for access, correction and erasure, and object. Use the contact page.',
      ],
    },
  ],
};
