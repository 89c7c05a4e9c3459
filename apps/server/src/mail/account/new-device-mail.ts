import { countAttempt, type Db } from '@pahatid/db';
import { getAccount } from '@pahatid/db/queries/account';
import { describeUserAgent, type Language, languageFor } from '@pahatid/domain';
import { sendAccountMail } from './send-account-mail.ts';

/** A browser without cookies is new each time: only the first three per hour are mailed. */
const telling = { what: 'mail.newDevice', limit: 3, windowMs: 3_600_000 };

interface NewDevice {
  readonly userAgent: string | undefined;
  readonly ip: string;
  readonly page: Language;
  readonly now: Date;
}

/** Mails the user about a sign-in in a browser in which they never signed in before. */
export async function sendNewDeviceMail(
  tx: Db,
  userId: string,
  { userAgent, ip, page, now }: NewDevice,
): Promise<void> {
  const { allowed } = await countAttempt(tx, { ...telling, key: userId, now });
  if (!allowed) return;
  const { locale, zone } = await getAccount(tx, userId);
  const format = { dateStyle: 'medium', timeStyle: 'short', timeZone: zone } as const;
  const time = `${new Intl.DateTimeFormat(languageFor(locale, page), format).format(now)} (${zone})`;
  const { browser, system } = describeUserAgent(userAgent ?? null);
  await sendAccountMail(tx, userId, { what: 'newDevice', device: { browser, system, ip, time } }, page);
}
