import type { FaqCopy } from '../shapes.ts';

export const faq: FaqCopy = {
  title: 'FAQ',
  description:
    'How Pahatid sends bulk SMS in the Philippines: files, templates, segments, price, receipts, privacy and the API.',
  heading: 'Questions and answers',
  lead: 'How the product works today.',
  search: {
    label: 'Search the answers',
    placeholder: 'Search {n} answers',
    found: '{found} of {n} answers',
    none: 'No answer has these words. Try fewer, or write to us.',
    often: 'Often asked',
    index: 'Subjects',
    link: 'Link to this answer',
  },
  often: [
    [3, 3, 'What am I charged for?'],
    [4, 1, '“Unknown”'],
    [4, 7, 'Reply T'],
    [1, 2, '9.17123E+09'],
  ],
  contact: { heading: 'Not answered here?', text: 'Write to us, and describe what you want to do.', link: 'Contact' },
  groups: [
    {
      heading: 'Getting started',
      items: [
        {
          question: 'What can I do with Pahatid?',
          answer:
            'Send bulk SMS to a file of phone numbers from the console, and single messages from your own software over HTTP. For each number you see the carrier’s response and whether the phone received the message.',
        },
        {
          question: 'How do I get an account?',
          answer:
            'Request one with the form on this site, and confirm your email address. We open a customer account and email an invitation to its owner; the owner can then invite colleagues. There is no self-service registration.',
        },
        {
          question: 'Which roles can my colleagues have?',
          answer:
            'An owner manages applications, members and billing. A member prepares templates, sender IDs and tasks. A viewer only reads, and sees phone numbers masked.',
        },
        {
          question: 'What do I need before the first task?',
          answer:
            'An application, an approved template, an approved sender ID, a file of phone numbers, and enough balance.',
        },
        {
          question: 'Which countries can I reach?',
          answer:
            'The product is made for the Philippines: numbers are read as Philippine unless they begin with + or 00. Other countries can be reached only if a route is set up, so ask us first.',
        },
      ],
    },
    {
      heading: 'Files and phone numbers',
      items: [
        {
          question: 'Which files can I upload?',
          answer:
            'csv, xls and xlsx, up to 200 MB and 2,000,000 rows. The file type is detected from the content, not the name.',
        },
        {
          question: 'How may phone numbers be written?',
          answer:
            'In any common format: 09171234567, 9171234567, 639171234567 or +639171234567, with spaces, dashes, brackets or dots. A number cell that lost its leading 0 is accepted.',
        },
        {
          question: 'What happens to a number like 9.17123E+09?',
          answer:
            'It is rejected as damaged by the spreadsheet. The missing digits cannot be recovered, and we do not guess. Format the column as text and upload the file again.',
        },
        {
          question: 'What happens to rows that cannot be used?',
          answer:
            'Each one is listed with its line number, text and reason. You can view and download the list; the other rows are sent.',
        },
        {
          question: 'Are duplicates sent twice?',
          answer: 'No. A number that occurs several times in a file is kept once, and the duplicates are counted.',
        },
        {
          question: 'Can each recipient get a different text?',
          answer:
            'Yes. Further columns of the file fill the variables of the template, by name or by position. You can preview real rows before you confirm.',
        },
      ],
    },
    {
      heading: 'Templates and sender IDs',
      items: [
        {
          question: 'Why are templates reviewed?',
          answer:
            'To keep prohibited content from reaching phones, a person checks each template before it is used, unless we have agreed with you that its type needs no review. A review takes about 2 hours within review hours: Monday to Friday 9:00–21:00, Saturday and Sunday 9:00–18:00, later on public holidays.',
        },
        {
          question: 'Which content is not allowed?',
          answer:
            'Financial, real-estate, immigration-politics, pornographic and violent content. Brackets 【】 and symbols such as ￥ and ★ cannot be used, and a link cannot be a variable. The editor marks each problem and explains how to fix it.',
        },
        {
          question: 'What must a marketing text contain?',
          answer: 'It must end with a line that says to reply T to unsubscribe.',
        },
        {
          question: 'Can I change an approved template?',
          answer: 'Yes. The new version is reviewed first; until it is approved, the old version stays in use.',
        },
        {
          question: 'What is a sender ID?',
          answer:
            'The name that a phone shows as the sender. It is made of letters, or of letters and digits, belongs to an application and a country, and is reviewed before it can be used.',
        },
        {
          question: 'Why was my template rejected?',
          answer: 'The reviewer’s reason is shown with the template. Fix the text and submit it again.',
        },
      ],
    },
    {
      heading: 'Segments and price',
      items: [
        {
          question: 'How long may a text be?',
          answer:
            'One segment holds 160 characters of the GSM alphabet, or 70 when any character is outside it. Longer texts are sent in segments of 153 or 67 characters, and the phone joins them.',
        },
        {
          question: 'Why does my English text have 70 characters per segment?',
          answer:
            'One character outside the GSM alphabet, such as a curly quote or an emoji, changes the encoding of the whole text. The editor shows which character it is.',
        },
        {
          question: 'Which characters count twice?',
          answer:
            'The euro sign, square and curly brackets, the tilde, caret, vertical bar and backslash count as two in the GSM alphabet.',
        },
        {
          question: 'What am I charged for?',
          answer:
            'For segments. With SenderPays a segment is charged when the carrier accepts it; with ReceiverPays when the receipt reports it as delivered. The charge type is agreed per application.',
        },
        {
          question: 'Do I pay for a message that the carrier refused?',
          answer: 'No. A refused message is not charged with either charge type.',
        },
        {
          question: 'How do I know the cost beforehand?',
          answer:
            'After the file is checked you see the estimate. When you confirm, that amount is reserved from your balance, and settled when the task ends. If the balance is too low, nothing is sent.',
        },
      ],
    },
    {
      heading: 'Sending and receipts',
      items: [
        {
          question: 'What is the difference between accepted and delivered?',
          answer:
            'Accepted means that the carrier has taken the message for delivery. Delivered means that a receipt reports that the phone received it. They are two stages, and we show both.',
          stages: [
            { name: 'Accepted', text: 'The carrier took it. With SenderPays it is charged now.' },
            { name: 'Awaiting receipt', text: 'The phone may be off or out of reach.' },
            { name: 'Delivered', text: 'A receipt reports it. With none in time the status is unknown.' },
          ],
        },
        {
          question: 'What does “unknown” mean?',
          answer: 'No receipt arrived within the validity period. We do not count such a message as delivered.',
        },
        {
          question: 'Can I schedule a task?',
          answer:
            'Yes, for any future time, in the time zone shown on the page. You can change or cancel it until it starts.',
        },
        {
          question: 'Can I stop a running task?',
          answer:
            'Yes. A task can be paused and resumed, or terminated. After you terminate it, messages not yet submitted to a carrier are not sent and not charged.',
        },
        {
          question: 'Why is my marketing task waiting at night?',
          answer:
            'Marketing is held between 21:00 and 07:00 Manila time and sent in the morning, unless agreed otherwise with you. An owner can extend the quiet hours in the console. Verification codes and notifications are sent at any hour.',
        },
        {
          question: 'Can I retry failed recipients?',
          answer:
            'Yes. A finished task can be retried for its failed recipients. Opted-out and invalid numbers are never retried.',
        },
        {
          question: 'What if your system fails in the middle of a task?',
          answer:
            'The task continues from what is recorded. Messages with an unknown result after a crash are held as “Unconfirmed” instead of being sent again, unless the application is set otherwise.',
        },
        {
          question: 'What happens when a recipient replies T?',
          answer:
            'The number is recorded as opted out immediately, with the reply as evidence, and receives no more of your marketing, not even from a task that is already running.',
        },
        {
          question: 'Can I read replies from recipients?',
          answer:
            'Yes. Replies that we receive are listed in the console with the message they answer, and can be pushed to your software. Phones cannot reply to every sender name, so a marketing template must say how to unsubscribe.',
        },
        {
          question: 'Can I be warned when something goes wrong?',
          answer:
            'Yes. A delivery threshold monitors volume, spend, delivery rate or receipt delay, and alerts you by email, SMS or webhook. At a limit it pauses tasks instead of failing them.',
        },
        {
          question: 'Can I see who opened a link?',
          answer:
            'Yes, with a short link that has a code for each recipient. Clicks by people are counted separately from bots.',
        },
      ],
    },
    {
      heading: 'API, data and security',
      items: [
        {
          question: 'Is there an API?',
          answer:
            'Yes: HTTP with JSON, for up to 1,000 messages per call. An idempotency key makes retries safe. The guides and the API reference are at /docs.',
        },
        {
          question: 'How does my software get receipts?',
          answer:
            'Status changes are pushed to the callback URL of the application that sent the message. Your software can also get a message by its ID at any time.',
        },
        {
          question: 'What must my server do to receive callbacks?',
          answer:
            'Respond to a test over https with the challenge it contains; until then nothing is pushed. After that, return any 2xx status within 15 seconds. The same event may arrive twice, with the same webhook-id.',
        },
        {
          question: 'What if my server is down?',
          answer:
            'The event is retried at increasing intervals for about three days. Then the address is disabled and the owners are notified. Missed events can be replayed from any time within the last 30 days.',
        },
        {
          question: 'How do I know that a callback comes from you?',
          answer:
            'Each one is signed according to the open standard “Standard Webhooks”, with a secret that is unique to the address. The secret is shown once; after you replace it, callbacks are signed with both secrets for 24 hours.',
        },
        {
          question: 'Can my software connect over SMPP?',
          answer: 'Not yet. We use SMPP 3.4 to connect to carriers; your software can use HTTP and callbacks.',
        },
        {
          question: 'Is my application’s secret safe?',
          answer:
            'It is shown once, when it is created. During a rotation you can set a period in which both the old and the new secret work.',
        },
        {
          question: 'How long is data kept?',
          answer:
            'Send records for 180 days and uploaded files for 30 days, unless the owner sets other periods: 30 to 400 days for records, 1 to 30 for files. After that they are deleted.',
        },
        {
          question: 'Can I erase one phone number?',
          answer:
            'Yes. An owner can see how much data is held about a number, download it, and erase it. An opt-out from marketing stays in force.',
        },
        {
          question: 'How is sign-in protected?',
          answer:
            'By limits on attempts, a puzzle after repeated failures, and optional two-factor sign-in with an authenticator app or a passkey. Users can view and end their own sessions.',
        },
      ],
    },
  ],
};
