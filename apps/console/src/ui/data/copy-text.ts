import type { Text } from '../../lib/i18n/use-text.tsx';
import { toast } from '../feedback/toast-store.ts';

/** Copies a text, and shows whether the browser allowed it; returns the same. */
export async function copyText(text: string, t: Text): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    toast(t('ui.copied'));
    return true;
  } catch {
    toast(t('ui.copyFailed'), 'danger');
    return false;
  }
}
