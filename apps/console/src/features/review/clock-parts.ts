/** Hours and minutes of a duration; less than a minute counts as one, so that nothing is due in no time. */
export function clockParts(seconds: number): { h: number; m: number } {
  const minutes = Math.max(1, Math.round(seconds / 60));
  return { h: Math.floor(minutes / 60), m: minutes % 60 };
}
