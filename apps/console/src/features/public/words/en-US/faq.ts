import type { FaqWords } from '../shapes.ts';

export const faq: FaqWords = {
  title: 'FAQ',
  description:
    'How Pahatid sends bulk SMS in the Philippines: files, templates, segments, price, receipts, privacy and the API.',
  heading: 'Questions and answers',
  lead: 'How the product works today, in plain words.',
  groups: [
    {
      heading: 'Getting started',
      items: [
        {
          question: 'What can I do with Pahatid?',
          answer:
            'Send bulk SMS to a file of phone numbers from the console, and single messages from your own software over HTTP. For each number you see what the carrier answered and whether the phone received it.',
        },
        {
          question: 'How do I get an account?',
          answer:
            'Write to us on the contact page. We open a customer account and send an invitation by email to its owner, who can then invite colleagues. There is no self-service registration.',
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
            'The product is made for the Philippines: numbers are read as Philippine ones unless they begin with + or 00. Other countries are reached only where a route for them has been set up, so ask us first.',
        },
      ],
    },
    {
      heading: 'Files and phone numbers',
      items: [
        {
          question: 'Which files can I upload?',
          answer:
            'csv, xls and xlsx, up to 200 MB and 2,000,000 rows. What counts is the content of a file, not its name.',
        },
        {
          question: 'How may phone numbers be written?',
          answer:
            'As people write them: 09171234567, 9171234567, 639171234567 or +639171234567, with spaces, dashes, brackets or dots. A number cell that lost its leading 0 is accepted.',
        },
        {
          question: 'What happens to a number like 9.17123E+09?',
          answer:
            'It is refused as damaged by the spreadsheet. The missing digits cannot be known, and we do not guess. Format the column as text and upload the file again.',
        },
        {
          question: 'What happens to rows that cannot be used?',
          answer:
            'Each one is kept with its line number, its text and the reason. You can look at the list and download it; the other rows are sent.',
        },
        {
          question: 'Are duplicates sent twice?',
          answer: 'No. A number that occurs several times in a file is kept once, and the duplicates are counted.',
        },
        {
          question: 'Can each recipient get a different text?',
          answer:
            'Yes. Further columns of the file fill the variables of the template, by name or by position. You see real rows rendered before you confirm.',
        },
      ],
    },
    {
      heading: 'Templates and sender IDs',
      items: [
        {
          question: 'Why are templates reviewed?',
          answer:
            'So that prohibited content does not reach phones, a person looks at a template before it is used, unless we have agreed with you that its type needs no review. A review takes about 2 hours within review hours: Monday to Friday 9:00–21:00, Saturday and Sunday 9:00–18:00, later on public holidays.',
        },
        {
          question: 'Which content is not allowed?',
          answer:
            'Financial, real-estate, immigration-politics, pornographic and violent content. Brackets 【】 and symbols such as ￥ and ★ cannot be used, and a link cannot be a variable. The editor marks what is wrong and says how to mend it.',
        },
        {
          question: 'What must a marketing text contain?',
          answer: 'It must end with a line that tells the reader to reply T to unsubscribe.',
        },
        {
          question: 'Can I change an approved template?',
          answer: 'Yes. The new version waits for its review; until then the approved one goes on serving.',
        },
        {
          question: 'What is a sender ID?',
          answer:
            'The name that a phone shows as the sender. It is made of letters, or of letters and digits, belongs to an application and a country, and is reviewed before it can be used.',
        },
        {
          question: 'Why was my template rejected?',
          answer: 'The reviewer’s reason stands beside the template. Mend the text and submit it again.',
        },
      ],
    },
    {
      heading: 'Segments and price',
      items: [
        {
          question: 'How long may a text be?',
          answer:
            'One segment holds 160 characters of the GSM alphabet, or 70 when any character is outside it. Longer texts travel in segments of 153 or 67 characters, and the phone puts them together.',
        },
        {
          question: 'Why did my English text turn into 70 characters a segment?',
          answer:
            'One character outside the GSM alphabet, such as a curly quote or an emoji, changes the whole text. The editor shows which character it is.',
        },
        {
          question: 'Which characters count twice?',
          answer:
            'The euro sign, square and curly brackets, the tilde, caret, vertical bar and backslash count as two in the GSM alphabet.',
        },
        {
          question: 'What am I charged for?',
          answer:
            'For segments. With SenderPays a segment is charged when the carrier accepts it; with ReceiverPays when the receipt says it was delivered. Which of the two applies is agreed per application.',
        },
        {
          question: 'Do I pay for a message that the carrier refused?',
          answer: 'No. A refused message costs nothing in either way of charging.',
        },
        {
          question: 'How do I know the cost beforehand?',
          answer:
            'After the file is checked you see the estimate. On confirmation that amount is held back from your balance, and settled when the task ends. With too little balance nothing is sent.',
        },
      ],
    },
    {
      heading: 'Sending and receipts',
      items: [
        {
          question: 'What is the difference between accepted and delivered?',
          answer:
            'Accepted means that the carrier took the message. Delivered means that a receipt says the phone has it. They are two stages, and we show both.',
        },
        {
          question: 'What does “unknown” mean?',
          answer: 'No receipt came within the validity period. We do not count such a message as delivered.',
        },
        {
          question: 'Can I schedule a task?',
          answer:
            'Yes, for any time ahead, in the time zone you see on the screen. It can be changed or cancelled until it begins.',
        },
        {
          question: 'Can I stop a running task?',
          answer:
            'Yes. A task can be paused and resumed, or terminated. What was not yet handed to a carrier is then not sent and not charged.',
        },
        {
          question: 'Why is my marketing task waiting at night?',
          answer:
            'Marketing is held between 21:00 and 07:00 Manila time and goes out in the morning, unless something else was agreed with you. An owner can make the window longer in the console. Verification codes and notifications pass at any hour.',
        },
        {
          question: 'Can I send again to those who failed?',
          answer:
            'Yes. A finished task can be retried for its failed recipients. Opted-out and invalid numbers are never retried.',
        },
        {
          question: 'What if your system fails in the middle of a task?',
          answer:
            'The task goes on from what is recorded. Messages whose fate is unknown after a crash are held as “in doubt” instead of being sent a second time, unless the application asks otherwise.',
        },
        {
          question: 'What happens when a recipient replies T?',
          answer:
            'The number is recorded as opted out at once, with the text as evidence, and no marketing of yours goes to it any more, not even in a task that is already running.',
        },
        {
          question: 'Can I read what recipients reply?',
          answer:
            'Yes. Replies that reach us are listed in the console, each beside the message it answers, and can be pushed to your software. Phones cannot answer every sender name, so a template for marketing says how to refuse.',
        },
        {
          question: 'Can I be warned when something goes wrong?',
          answer:
            'Yes. A delivery threshold watches volume, spend, delivery rate or delay, and tells you by email, SMS or webhook. At a limit it pauses tasks instead of failing them.',
        },
        {
          question: 'Can I see who opened a link?',
          answer:
            'With a short link that has a code for each recipient, yes. Clicks by people are counted apart from those of programs that look at links first.',
        },
      ],
    },
    {
      heading: 'Software, data and safety',
      items: [
        {
          question: 'Is there an API?',
          answer:
            'Yes: HTTP with JSON, for one message or up to 1,000 in a call. An idempotency key makes a retry safe. The API reference is at /api/docs.',
        },
        {
          question: 'How does my software learn about receipts?',
          answer:
            'It is told: what becomes of a message is pushed to the callback URL of the application that sent it. It can also ask for a message by its id at any time.',
        },
        {
          question: 'What must my server do to get callbacks?',
          answer:
            'Answer a test with the challenge in it, over https; until then nothing is pushed. After that any 2xx answer within 15 seconds is enough. The same event may come twice, with the same webhook-id.',
        },
        {
          question: 'What if my server is down?',
          answer:
            'The event is tried again, with growing pauses, for about three days. Then the address is disabled and the owners are told; what happened meanwhile can be sent again from any time within 30 days.',
        },
        {
          question: 'How do I know that a callback comes from you?',
          answer:
            'Each one is signed as the open standard “Standard Webhooks” describes, with a secret of that address alone. The secret is shown once; when you replace it, the old and the new one both sign for 24 hours.',
        },
        {
          question: 'Can my software connect over SMPP?',
          answer: 'Not yet. We speak SMPP 3.4 towards carriers; for your software there is HTTP, with callbacks.',
        },
        {
          question: 'Is my application’s secret safe?',
          answer:
            'It is shown once, when it is made. You can rotate it with a time in which both the old and the new one work.',
        },
        {
          question: 'How long is data kept?',
          answer:
            'Send records for 180 days and uploaded files for 30 days, unless the owner sets other times: 30 to 400 days for records, 1 to 30 for files. After that they are deleted.',
        },
        {
          question: 'Can I erase one phone number?',
          answer:
            'Yes. An owner can see how much is held about a number, download it, and erase it. A refusal to receive marketing stays in force.',
        },
        {
          question: 'How is signing in protected?',
          answer:
            'By limits on tries, a puzzle after repeated failures, and an optional second step: an authenticator app or a passkey. Everyone can see their sessions and end them.',
        },
      ],
    },
  ],
};
