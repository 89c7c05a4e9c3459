import { defaultLocale, localeCodes, nearestLocale } from './nearest-locale.ts';

const storageKey = 'umi_locale';

/** The remembered locale, else the browser's languages, else zh-CN (specification §1). */
export function initialLocale(): string {
  let stored: string | null = null;
  try {
    stored = localStorage.getItem(storageKey);
  } catch {
    // Storage closed to us: go on with the browser's languages.
  }
  if (stored && localeCodes.includes(stored)) return stored;
  // Only the first language counts: a user whose first language is not supported reads the product's default.
  return nearestLocale(navigator.language) ?? defaultLocale;
}

/** Whether a language was chosen in this browser. */
export function hasStoredLocale(): boolean {
  try {
    return localStorage.getItem(storageKey) !== null;
  } catch {
    return false;
  }
}

export function rememberLocale(locale: string) {
  try {
    localStorage.setItem(storageKey, locale);
  } catch {
    // The page still changes; only remembering fails.
  }
}
