import { type Db, insertOwnSms } from '@pahatid/db';
import { getAccount } from '@pahatid/db/queries/account';
import type { Language } from '../http/csv.ts';
import { languageFor } from '../http/language.ts';
import { sendMail } from '../mail/send-mail.ts';
import { type AccountEvent, describeEvent } from './texts.ts';

/**
 * Word of a change to the ways into an account, in the transaction that makes it: by mail, and what weighs most to the
 * phone too, so that who did not do it learns of it by one at least. `page`: the language where the person chose none.
 */
export async function tellPerson(tx: Db, userId: string, event: AccountEvent, page: Language): Promise<void> {
  const { account, email, msisdn, locale } = await getAccount(tx, userId);
  const { sms, ...mail } = describeEvent(event, account, languageFor(locale, page));
  await sendMail(tx, { to: email, ...mail });
  // Codes and notices go to Philippine phones alone.
  if (sms !== null && msisdn?.startsWith('63')) await insertOwnSms(tx, { msisdn, content: sms });
}
