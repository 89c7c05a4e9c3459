import { type Db, insertOwnSms } from '@pahatid/db';
import { getAccount } from '@pahatid/db/queries/account';
import { type Language, languageFor } from '@pahatid/domain';
import { sendMail } from '../send-mail.ts';
import { type AccountEvent, describeEvent } from './texts.ts';

/**
 * Notifies the user of a change to their sign-in methods, in the transaction that makes it: by mail, and for the most
 * important changes by SMS too, so that a user who did not make it sees at least one. `page`: the language if the user
 * chose none.
 */
export async function sendAccountMail(tx: Db, userId: string, event: AccountEvent, page: Language): Promise<void> {
  const { account, email, msisdn, locale } = await getAccount(tx, userId);
  const { sms, ...mail } = describeEvent(event, account, languageFor(locale, page));
  await sendMail(tx, { to: email, ...mail });
  // Codes and notices go to Philippine phones alone.
  if (sms !== null && msisdn?.startsWith('63')) await insertOwnSms(tx, { msisdn, content: sms });
}
