import { regionCodes } from '@pahatid/contract';

/** Returns a region's name in the user's language; its code if it has none. */
export const regionName = (locale: string, code: string): string => {
  try {
    return new Intl.DisplayNames(locale, { type: 'region' }).of(code) ?? code;
  } catch {
    return code;
  }
};

/** All regions by name. */
export function listRegions(locale: string): { code: string; name: string }[] {
  const names = new Intl.DisplayNames(locale, { type: 'region' });
  const { compare } = new Intl.Collator(locale);
  return regionCodes.map((code) => ({ code, name: names.of(code) ?? code })).sort((a, b) => compare(a.name, b.name));
}

const most = 20;

/** Returns regions whose name or code contains the typed text, sorted by name; `home` is first. */
export function findRegions(locale: string, typed: string, home: string): { code: string; name: string }[] {
  const names = new Intl.DisplayNames(locale, { type: 'region' });
  const wanted = typed.trim().toLocaleLowerCase(locale);
  const found = regionCodes
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .filter(({ code, name }) => code.toLowerCase() === wanted || name.toLocaleLowerCase(locale).includes(wanted));
  const { compare } = new Intl.Collator(locale);
  return found
    .sort((a, b) => Number(b.code === home) - Number(a.code === home) || compare(a.name, b.name))
    .slice(0, most);
}
