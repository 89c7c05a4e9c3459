/**
 * SMSCs give one id in submit_sm_resp and write the same number otherwise in the receipt: hex against decimal, upper
 * against lower case, zero-padded or not.
 */

/** Lower case and without leading zeros: two spellings of one id become equal. */
export function normaliseMessageId(id: string): string {
  const trimmed = id
    .trim()
    .toLowerCase()
    .replace(/^0+(?=.)/, '');
  return trimmed;
}

/** `38601fa` → `59113978`; undefined if it is not a hexadecimal number of at most 64 bits. */
export function hexToDecimalId(id: string): string | undefined {
  return /^[0-9a-f]{1,16}$/i.test(id) ? BigInt(`0x${id}`).toString() : undefined;
}

/** `0059113978` → `38601fa`; undefined if it is not a decimal number of at most 64 bits. */
export function decimalToHexId(id: string): string | undefined {
  return /^[0-9]{1,20}$/.test(id) ? BigInt(id).toString(16) : undefined;
}
