/** Alarms about sign-ins: passwords tried for many accounts, and owners in networks or countries that are new to them. */
import type { NewAlarm } from '@pahatid/db/queries/staff-alarms';
import type { FailedSignIns, SignIn } from '@pahatid/db/queries/watched-actions';
import { networkKeys } from '../../http/network-keys.ts';
import { allNetworksFactor } from './limits.ts';

/** `least`: accounts of one network. */
export function judgeFailures(failures: readonly FailedSignIns[], least: number): NewAlarm[] {
  const byNetwork = new Map<string, Set<string>>();
  const all = new Set<string>();
  for (const { ip, account } of failures) {
    const { network } = networkKeys(ip);
    byNetwork.set(network, (byNetwork.get(network) ?? new Set()).add(account));
    all.add(account);
  }
  const alarms = [...byNetwork]
    .filter(([, accounts]) => accounts.size >= least)
    .map(([network, accounts]) => toAlarm(network, accounts.size));
  // Spread over so many networks that none is above its bound.
  if (alarms.length === 0 && all.size >= least * allNetworksFactor) alarms.push(toAlarm(null, all.size));
  return alarms;
}

const toAlarm = (network: string | null, accounts: number): NewAlarm => ({
  kind: 'passwordSpraying',
  subject: network ?? '*',
  facts: { network, accounts },
});

type Place = Pick<SignIn, 'ip' | 'country'>;

/**
 * Null for the first sign-in of a user, and from a known network and country. The country counts only if it is known of
 * this sign-in and of an earlier one.
 */
export function judgeOwnerSignIn(signIn: SignIn, earlier: readonly Place[]): NewAlarm | null {
  if (earlier.length === 0) return null;
  const { userId, account: actor, country } = signIn;
  const { network } = networkKeys(signIn.ip);
  const countries = new Set(earlier.flatMap((each) => each.country ?? []));
  const isNewCountry = country !== null && countries.size > 0 && !countries.has(country);
  const isKnownNetwork = earlier.some(({ ip }) => networkKeys(ip).network === network);
  if (isKnownNetwork && !isNewCountry) return null;
  return {
    kind: 'ownerSignIn',
    subject: `${userId} ${isNewCountry ? country : network}`,
    facts: { actor, network, country, isNewCountry },
  };
}
