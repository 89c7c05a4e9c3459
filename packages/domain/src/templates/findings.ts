/** Every rule of a template's text. The words for a code live with whoever shows it; `params` fills them. */
export type TemplateFindingCode =
  | 'EMPTY'
  | 'TOO_LONG'
  | 'SIGNATURE_BRACKET'
  | 'UNSUPPORTED_SYMBOL'
  | 'EMOTICON'
  | 'VARIABLE_SYNTAX'
  | 'VARIABLE_NOT_CONSECUTIVE'
  | 'VARIABLES_OUT_OF_ORDER'
  | 'VARIABLES_ADJACENT'
  | 'TOO_MANY_VARIABLES'
  | 'NO_FIXED_TEXT'
  | 'LINK_HAS_VARIABLE'
  | 'LINK_PRESENT'
  | 'LINK_WORD_BEFORE_VARIABLE'
  | 'DOLLAR_BEFORE_VARIABLE'
  | 'UNSUBSCRIBE_LINE_MISSING'
  | 'UNSUBSCRIBE_IN_NON_MARKETING'
  | 'PROHIBITED'
  | 'OTP_VALUE_TOO_LONG'
  | 'FORCES_UNICODE';

/** A replacement the editor can make: the text between the offsets becomes `insert`. */
export interface Mend {
  from: number;
  to: number;
  insert: string;
}

export interface TemplateFinding {
  code: TemplateFindingCode;
  /** An error keeps the template from being submitted; a warning is shown to the author and to the reviewer. */
  severity: 'error' | 'warning';
  /** UTF-16 offsets in the text as it was given. */
  from: number;
  to: number;
  params?: Record<string, string | number>;
  mend?: Mend;
}

/** The text after its mends, whose offsets are those of the text given; they must not overlap. */
export function applyMends(content: string, mends: readonly Mend[]): string {
  let result = content;
  for (const mend of mends.toSorted((a, b) => b.from - a.from || b.to - a.to)) {
    result = result.slice(0, mend.from) + mend.insert + result.slice(mend.to);
  }
  return result;
}
