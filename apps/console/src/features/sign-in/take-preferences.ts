import type { Session } from '@pahatid/contract';
import { hasStoredLocale } from '../../lib/i18n/stored-locale.ts';
import { setLocale } from '../../lib/i18n/text-store.ts';
import { colorChoice, setColorChoice } from '../../ui/theme/color-mode.ts';

/** In a browser without stored preferences, applies those that the user chose elsewhere. */
export async function takePreferences({ user }: Session): Promise<void> {
  if (user.theme && colorChoice() === 'system') setColorChoice(user.theme);
  // A language that fails to load is no reason not to come in.
  if (user.locale && !hasStoredLocale()) await setLocale(user.locale).catch(() => undefined);
}
