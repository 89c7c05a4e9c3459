/**
 * Which countries may be opened for an application. Outside the home country a message needs a separate price: the
 * domestic price would sell foreign segments below cost. Every type of message and every carrier must have one.
 */

export const HOME_COUNTRY = 'PH';

export interface CountryPrice {
  readonly areaCode: string;
  /** null: any carrier. */
  readonly carrier: string | null;
  /** null: any send type. */
  readonly smsType: number | null;
  /** null: every customer. */
  readonly customerId: string | null;
}

const smsTypes = [1, 2, 3] as const;

/** True if every message of the customer to this country has a price, whichever carrier serves its number. */
export const hasCountryPrice = (prices: readonly CountryPrice[], areaCode: string, customerId: string): boolean => {
  if (areaCode === HOME_COUNTRY) return true;
  const fitting = prices.filter(
    (price) =>
      price.areaCode === areaCode &&
      price.carrier === null &&
      (price.customerId === null || price.customerId === customerId),
  );
  return smsTypes.every((smsType) => fitting.some((price) => price.smsType === null || price.smsType === smsType));
};
