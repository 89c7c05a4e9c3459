import type { JobList } from '../sending/job-context.ts';
import { answerCodeRequest } from './answer-requests.ts';
import { makeCodeHider } from './hide-sent-codes.ts';
import { sendOwnSms } from './send-own-sms.ts';

export const codeJobs: JobList = ({ context, secrets }) => {
  const hideCodes = makeCodeHider();
  return [
    {
      name: 'codes',
      everyMs: 1_000,
      wakeOn: 'code',
      wakes: ['ownSms', 'mail'],
      step: () => answerCodeRequest(context, secrets),
    },
    // Notices come without a code, so this also polls.
    { name: 'ownSms', everyMs: 1_000, step: () => sendOwnSms(context) },
    { name: 'hideCodes', everyMs: 60_000, step: () => hideCodes(context) },
  ];
};
