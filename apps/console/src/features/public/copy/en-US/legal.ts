import type { ProseCopy } from '../shapes.ts';

export const terms: ProseCopy = {
  title: 'Terms and conditions',
  description: 'The terms under which Pahatid is used: accounts, content, sending, charges and liability.',
  heading: 'Terms and conditions',
  lead: 'These terms describe how the service works and what both parties may expect. A written contract with a customer takes precedence.',
  contents: 'On this page',
  note: 'Last changed on 22 November 2026',
  sections: [
    {
      heading: '1. The service',
      paragraphs: [
        'Pahatid lets business customers send SMS from a console and over an HTTP API, and shows the responses of carriers and the receipts of phones. If you set a callback URL, the same data is pushed to your software. Messages are submitted to carriers over SMPP; the carriers are responsible for delivery.',
      ],
    },
    {
      heading: '2. Accounts',
      paragraphs: [
        'We open customer accounts; members are invited by an owner. Keep passwords, second factors and application secrets confidential. Actions taken with them count as actions of the customer. Notify us immediately if one is lost; owners can remove members and rotate secrets themselves.',
      ],
    },
    {
      heading: '3. What may be sent',
      paragraphs: ['You may send only to people you are allowed to contact, and only lawful content.'],
      points: [
        'No financial, real-estate, immigration-politics, pornographic or violent content.',
        'Marketing must end with a line that says to reply T to unsubscribe.',
        'A sender ID must name you or a brand you may use.',
        'A callback URL must be your own address.',
        'No text may impersonate another sender.',
      ],
    },
    {
      heading: '4. Review',
      paragraphs: [
        'Templates and sender IDs are reviewed by people, about 2 hours within review hours (Monday to Friday 9:00–21:00, Saturday and Sunday 9:00–18:00, later on public holidays). SMS types for which this is agreed with you need no review. A task may be reviewed too. A rejection states its reason. An approval is not legal advice: you remain responsible for what you send.',
      ],
    },
    {
      heading: '5. Quiet hours and opt-outs',
      paragraphs: [
        'Marketing is held from 21:00 to 07:00 Manila time, unless agreed otherwise with you. Numbers that have opted out are skipped in marketing tasks. Do not try to circumvent either rule.',
      ],
    },
    {
      heading: '6. Prices and charges',
      paragraphs: [
        'Charges are per segment. With SenderPays a segment is charged when the carrier accepts it, with ReceiverPays when a receipt reports it as delivered. The estimated cost of a task is reserved when it is confirmed; with ReceiverPays the cost of each message stays reserved until its receipt arrives or is overdue. The ledger in the console is the record of every charge.',
      ],
    },
    {
      heading: '7. What we guarantee and do not guarantee',
      paragraphs: [
        'A message we have accepted is recorded durably before it is sent. After a failure, messages with an unknown result are held rather than sent again, unless you chose otherwise. We do not guarantee that a carrier delivers a message, or how fast.',
      ],
    },
    {
      heading: '8. Suspension and termination',
      paragraphs: [
        'Our staff may pause or terminate a task, or suspend a customer, if these terms or the law are broken or the network is at risk. Each such action is recorded in an audit log.',
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

export const privacy: ProseCopy = {
  title: 'Privacy policy',
  description: 'Which data Pahatid keeps about visitors, users and recipients, for how long, and how it is erased.',
  heading: 'Privacy policy',
  lead: 'What data is kept, why, for how long, and how it is deleted. This page describes what the software does.',
  contents: 'On this page',
  note: 'Last changed on 29 November 2026',
  sections: [
    {
      heading: 'Visitors of this site',
      paragraphs: [
        'This site loads nothing from third parties and has no analytics. Two preferences may be stored in your browser: the language (umi_locale, also as a cookie) and light or dark mode. The contact form stores what you write, your language and your network address, and emails the text to our staff. Enquiries are kept until staff delete them; we delete yours on request.',
        'A request for an account is stored with your language and network address, and is read by our staff. It is deleted after 7 days if you do not confirm your email address, 30 days after we accept or decline it, and after 180 days at most while it waits for a decision.',
      ],
    },
    {
      heading: 'Users of the console',
      paragraphs: [
        'We keep your account name, name, email address, phone number where you set one, role and preferences; your password only as an argon2id hash; sessions with address and browser so that you can see and end them; and an audit log of actions.',
        'Signing in requires a session cookie. Two more cookies grant no access: one ties a puzzle or a code to your browser until you close it, and one recognizes for 180 days a browser in which you have signed in before. Your browser also stores what you opened last and how you set up lists.',
      ],
    },
    {
      heading: 'Recipients',
      paragraphs: [
        'On behalf of our customers we process phone numbers, texts, and the responses of carriers and phones. The customer decides to whom and why messages are sent. Numbers and texts are passed to the carrier that delivers the message. Message status and replies from phones are pushed to the customer’s own software if the customer has set a callback URL.',
        'When you open a short link of ours, we store the time and the family of your system and browser, but no network address and no cookie. If the link was created for you alone, its sender sees that you opened it. Individual clicks are kept as long as send records.',
      ],
    },
    {
      heading: 'How long',
      paragraphs: [],
      points: [
        'Send records and replies from phones: 180 days unless the customer’s owner sets 30 to 400.',
        'Uploaded files: 30 days unless the owner sets 1 to 30.',
        'Exported files of records: 3 days, accessible only to the user who created them.',
        'Log of callbacks to a customer’s software: 30 days, without separate copies of numbers and texts.',
        'Email we sent: 30 days. Notifications in the console: 90 days.',
        'Numbers in message groups: until the customer removes them.',
        'Ledger and audit log: without a time limit.',
        'Opt-outs: as long as they are in force, so that they can be respected.',
      ],
    },
    {
      heading: 'Who sees what',
      paragraphs: [
        'No customer’s data is visible to another customer; the database itself enforces this. A customer’s owners and members see full phone numbers; viewers and our staff see them masked. Exports, and each time staff view a full number, are recorded in the audit log. Secrets are encrypted at rest, and logs hold no phone numbers and no texts.',
      ],
    },
    {
      heading: 'Erasure',
      paragraphs: [
        'An owner can see all data held about one number, download it, and erase it. Erasure removes the number and text from records and keeps the totals. If you are a recipient, contact the sender, or contact us and we will forward your request.',
      ],
    },
    {
      heading: 'Your rights',
      paragraphs: [
        'Under the Philippine Data Privacy Act of 2012 you may ask for access, correction and erasure, and object. Contact us through the contact page.',
      ],
    },
  ],
};
