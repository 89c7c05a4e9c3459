/** The form field of each group error. */
export const groupFields = { GROUP_NAME_TAKEN: 'groupName' } as const;

/** Names of values as they are typed: divided by commas of any script, or by lines. */
export const namesIn = (text: string): string[] =>
  text
    .split(/[,，、;；\n]/)
    .map((name) => name.trim())
    .filter((name) => name !== '');

export interface PastedMember {
  /** In the text, from 1. */
  line: number;
  mobileNumber: string;
  /** The values after the number, in order. */
  values: string[];
}

/** Lines of a pasted text: a number each, and values behind it, divided by tabs or commas as a spreadsheet copies them. */
export function readPaste(text: string): PastedMember[] {
  const members: PastedMember[] = [];
  for (const [index, raw] of text.split(/\r\n|\r|\n/).entries()) {
    if (raw.trim() === '') continue;
    const cells = (raw.includes('\t') ? raw.split('\t') : raw.split(/[,，;；]/)).map((cell) => cell.trim());
    const [mobileNumber = '', ...values] = cells;
    if (mobileNumber !== '') members.push({ line: index + 1, mobileNumber: mobileNumber.slice(0, 40), values });
  }
  return members;
}
