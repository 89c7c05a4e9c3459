/**
 * Ids of test mode (decision 146). A customer's test customer has its id with another first digit, so every program and
 * every statement knows test data by the id alone: ids of customers begin with the time, in 48 bits, and get a first
 * digit other than 0 in the year 2527.
 */
const FIRST_DIGIT = 'f';

/** Ids of test customers are this one or greater, those of others smaller. */
export const FIRST_TEST_CUSTOMER = `${FIRST_DIGIT}0000000-0000-0000-0000-000000000000`;

/** The account of the carrier that is part of the program, on every installation. */
export const TEST_SUPPLIER = `${FIRST_DIGIT}0000000-0000-7000-8000-000000000001`;
/** Of its messages in records and statistics. No table of routes has it. */
export const TEST_ROUTE = `${FIRST_DIGIT}0000000-0000-7000-8000-000000000002`;

export const isTestCustomer = (customerId: string): boolean => customerId.startsWith(FIRST_DIGIT);

/** Throws for an id of another form, whose test customer could be another's. */
export const toTestCustomer = (customerId: string): string => {
  if (!customerId.startsWith('0')) throw new Error(`not an id of a customer with the time in it: ${customerId}`);
  return FIRST_DIGIT + customerId.slice(1);
};

/** The customer whose test customer it is, or itself. */
export const toLiveCustomer = (customerId: string): string =>
  isTestCustomer(customerId) ? `0${customerId.slice(1)}` : customerId;
