/** Money is an integer of 1/10,000 PHP: a price of ₱0.35 is 3,500. Never a fraction, so sums are exact. */
import { ChargeType } from '@pahatid/contract/enums';

export const moneyPerPeso = 10_000;

/** `₱0.35`, `₱1,234.50`; four decimals only if two would lose digits. */
export const formatMoney = (amount: number, locale = 'en-PH'): string => {
  const exact = amount % 100 === 0;
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: 'PHP',
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: 2,
    maximumFractionDigits: exact ? 2 : 4,
    numberingSystem: 'latn',
  }).format(amount / moneyPerPeso);
};

/** Reads `1,234.5678` or `₱0.35`; null if it is not an amount with at most four decimals. */
export const parseMoney = (text: string): number | null => {
  const match = /^\s*(-?)(?:₱\s*|(?<=-)\s+)?(\d{1,12}|\d{1,3}(?:,\d{3}){1,3})(?:\.(\d{1,4}))?\s*$/.exec(text);
  if (!match) return null;
  const [, sign, whole = '', fraction = ''] = match;
  const amount = Number(whole.replaceAll(',', '')) * moneyPerPeso + Number(fraction.padEnd(4, '0'));
  return sign === '-' ? -amount : amount;
};

/** When it is charged, specification §3: on sending, when the carrier accepts it; on arrival, when it is delivered. */
export const isChargedOn = (chargeType: ChargeType, event: 'accepted' | 'delivered'): boolean =>
  (chargeType === ChargeType.SenderPays) === (event === 'accepted');
