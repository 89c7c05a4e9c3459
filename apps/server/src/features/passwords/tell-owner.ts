import { insertOwnSms, type PasswordOwner } from '@pahatid/db';
import type { PoolClient } from 'pg';
import { type PasswordChange, passwordNotice } from '../../codes/texts.ts';
import type { Language } from '../../http/csv.ts';
import { sendMail } from '../../mail/send-mail.ts';

/** Word of a new password to every channel that is known, so that who did not do it learns of it by one at least. */
export async function tellOwner(
  tx: PoolClient,
  owner: PasswordOwner,
  what: PasswordChange,
  lang: Language,
): Promise<void> {
  const { sms, ...mail } = passwordNotice(owner.account, what, lang);
  await sendMail(tx, { to: owner.email, ...mail });
  if (owner.msisdn?.startsWith('63')) await insertOwnSms(tx, { msisdn: owner.msisdn, content: sms });
}
