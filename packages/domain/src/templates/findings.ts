/** Every rule of a template's text. The text for a code is defined where it is shown; `params` fills it. */
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
export interface Fix {
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
  fix?: Fix;
}

/** Returns the text after its fixes, whose offsets refer to the given text; they must not overlap. */
export function applyFixes(content: string, fixes: readonly Fix[]): string {
  let result = content;
  for (const fix of fixes.toSorted((a, b) => b.from - a.from || b.to - a.to)) {
    result = result.slice(0, fix.from) + fix.insert + result.slice(fix.to);
  }
  return result;
}
