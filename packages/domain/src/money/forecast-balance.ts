/** Returns for how many days the available balance lasts at this pace (1/10,000 PHP a day); null if nothing is spent. */
export const forecastBalance = (
  { balance, reserved }: { readonly balance: number; readonly reserved: number },
  perDay: number,
): { perDay: number; days: number | null } => ({
  perDay,
  days: perDay > 0 ? Math.floor(Math.max(0, balance - reserved) / perDay) : null,
});
