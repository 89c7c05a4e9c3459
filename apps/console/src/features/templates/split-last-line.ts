/**
 * A text before and from its last line, by which recipients leave; the whole and nothing where it ends otherwise. What is
 * put into a text goes in between, because nothing may follow that line.
 */
export function splitLastLine(content: string, lastLine: string): [before: string, after: string] {
  const text = content.trimEnd();
  if (lastLine === '' || !text.endsWith(lastLine)) return [content, ''];
  const before = text.slice(0, -lastLine.length).trimEnd();
  return [before, (text.slice(before.length, -lastLine.length) || ' ') + lastLine];
}
