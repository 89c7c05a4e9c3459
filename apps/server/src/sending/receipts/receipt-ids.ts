/**
 * A carrier's message id in the forms it may have: responses and receipts of one carrier write the same number in
 * decimal or in hex, with or without leading zeros, in either case. Responses are stored in the first form.
 */
export type IdBase = 'dec' | 'hex' | 'text';

/** How an id is stored and looked for first: lower case, no leading zeros. */
export const storedId = (id: string): string => {
  const text = id.trim().toLowerCase();
  const short = text.replace(/^0+/, '');
  return short === '' ? text : short;
};

/**
 * Returns the forms to search for, the likeliest first. `base`: format of the carrier's ids in responses; receipts of a
 * carrier whose ids are plain text are never read as numbers.
 */
export const idForms = (id: string, base?: IdBase): string[] => {
  const stored = storedId(id);
  const forms = [stored];
  if (base === 'text') return forms;
  if (/^[0-9]{1,20}$/.test(stored)) forms.push(BigInt(stored).toString(16));
  if (/^[0-9a-f]{1,16}$/.test(stored)) forms.push(BigInt(`0x${stored}`).toString(10));
  const wanted = base === 'hex' ? forms[1] : undefined;
  // A carrier that responds in hex and writes receipts in decimal: the converted form is likelier.
  if (wanted !== undefined && /^[0-9]+$/.test(stored)) return [wanted, stored, ...forms.slice(2)];
  return forms;
};
