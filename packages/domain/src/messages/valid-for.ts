/**
 * How long a message may wait before it is handed to a carrier, by its send type. An application and a call can shorten
 * it. From then on it is not sent: its user has given up waiting.
 */
import { type SmsType, sendTypeNames, type ValidFor, validForDefaults } from '@pahatid/contract/enums';

/** Returns seconds, or null: it has no end. */
export const getValidForS = (
  smsType: SmsType,
  ofApplication: ValidFor | null,
  ofCall: number | null = null,
): number | null => {
  const name = sendTypeNames[smsType];
  const set = [validForDefaults[name], ofApplication?.[name] ?? null, ofCall].filter((each) => each !== null);
  return set.length === 0 ? null : Math.min(...set);
};
