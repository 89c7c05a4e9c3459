import { countAttempt, type Db } from '@pahatid/db';
import { getAccount } from '@pahatid/db/queries/account';
import { describeUserAgent } from '@pahatid/domain';
import type { Language } from '../http/csv.ts';
import { languageFor } from '../http/language.ts';
import { tellPerson } from './tell-person.ts';

/** Who keeps no cookies is new each time: an hour's first three are told. */
const telling = { what: 'mail.newDevice', limit: 3, windowMs: 3_600_000 };

interface NewDevice {
  readonly userAgent: string | undefined;
  readonly ip: string;
  readonly page: Language;
  readonly now: Date;
}

/** Word of a sign-in in a browser in which this person never signed in. */
export async function tellNewDevice(tx: Db, userId: string, { userAgent, ip, page, now }: NewDevice): Promise<void> {
  const { allowed } = await countAttempt(tx, { ...telling, key: userId, now });
  if (!allowed) return;
  const { locale, zone } = await getAccount(tx, userId);
  const format = { dateStyle: 'medium', timeStyle: 'short', timeZone: zone } as const;
  const time = `${new Intl.DateTimeFormat(languageFor(locale, page), format).format(now)} (${zone})`;
  const { browser, system } = describeUserAgent(userAgent ?? null);
  await tellPerson(tx, userId, { what: 'newDevice', device: { browser, system, ip, time } }, page);
}
