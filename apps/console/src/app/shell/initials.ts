/**
 * Returns two letters for a round or square mark: first letters of the first two words, or the first character of a
 * Chinese name.
 */
export function initials(name: string): string {
  const words = name.trim().split(/[\s_.-]+/);
  const first = [...(words[0] ?? '')][0] ?? '';
  const second = [...(words[1] ?? '')][0] ?? '';
  return (first + second).toUpperCase();
}
