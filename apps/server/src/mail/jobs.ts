import type { JobList } from '../sending/job-context.ts';
import { makeMailer } from './mailer.ts';
import { sendDueMail } from './send-due-mail.ts';

/** No jobs without an SMTP server: mail stays in the outbox, where the demo shows it. */
export const mailJobs: JobList = ({ context, config }) => {
  if (config.smtpUrl === null) {
    if (!config.demo) context.log.warn('SMTP_URL not set, mail is not sent');
    return [];
  }
  const mailer = makeMailer(config.smtpUrl, config.mailFrom);
  return [{ name: 'mail', everyMs: 1_000, step: () => sendDueMail(context, mailer), close: () => mailer.close() }];
};
