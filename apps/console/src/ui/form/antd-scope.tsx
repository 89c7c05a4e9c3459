import { loaders } from 'virtual:locale-packs';
import ConfigProvider from 'antd/es/config-provider';
import dayjs from 'dayjs';
import { type ReactNode, use } from 'react';
import { cspNonce } from '../../lib/csp-nonce.ts';
import type { LocalePack } from '../../lib/i18n/locale-pack.ts';
import { useTexts } from '../../lib/i18n/text-store.ts';
import { topLayer } from '../layers/layer-stack.ts';
import { antdTheme } from '../theme/antd-theme.ts';
import { useColorMode, useReducedMotion } from '../theme/color-mode.ts';

const packs = new Map<string, Promise<LocalePack | null>>();

/** Returns the same promise each time. A field whose pack does not load uses English, which is better than no field. */
export function localePack(locale: string): Promise<LocalePack | null> {
  const known = packs.get(locale);
  if (known) return known;
  const load = loaders[locale] ?? loaders['en-US'];
  const loading = load ? load().then((module) => module.default) : Promise.resolve(null);
  const pack = loading.catch(() => null);
  packs.set(locale, pack);
  return pack;
}

/** All fields share one theme a mode: Ant Design writes its styles once for each theme object. */
const themes = new Map<string, ReturnType<typeof antdTheme>>();

function useTheme(): ReturnType<typeof antdTheme> {
  const mode = useColorMode();
  const isReduced = useReducedMotion();
  const key = `${mode} ${isReduced}`;
  const theme = themes.get(key) ?? antdTheme(mode, isReduced);
  themes.set(key, theme);
  return theme;
}

/**
 * Our theme, language and direction for one of Ant Design's fields. Wraps each field and not the console, so that a
 * screen without such a field loads none of Ant Design.
 */
export function AntdScope({ children }: { children: ReactNode }) {
  const { locale, dir } = useTexts();
  const theme = useTheme();
  const pack = use(localePack(locale));
  dayjs.locale(pack?.dayjs ?? 'en');
  return (
    <ConfigProvider
      key={locale}
      theme={theme}
      direction={dir}
      {...(pack && { locale: pack.antd })}
      {...(cspNonce && { csp: { nonce: cspNonce } })}
      button={{ autoInsertSpace: false }}
      getPopupContainer={topLayer}
    >
      {children}
    </ConfigProvider>
  );
}
