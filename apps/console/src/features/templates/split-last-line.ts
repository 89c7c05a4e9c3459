/**
 * Splits a text before its last line, which contains the opt-out; returns the whole and '' if it ends otherwise. Text
 * is inserted between them, because nothing may follow that line.
 */
export function splitLastLine(content: string, lastLine: string): [before: string, after: string] {
  const text = content.trimEnd();
  if (lastLine === '' || !text.endsWith(lastLine)) return [content, ''];
  const before = text.slice(0, -lastLine.length).trimEnd();
  return [before, (text.slice(before.length, -lastLine.length) || ' ') + lastLine];
}
