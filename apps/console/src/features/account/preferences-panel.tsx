import type { Account, CallInput } from '@pahatid/contract';
import { call } from '../../lib/api/call.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { useZone } from '../../lib/format/zone.ts';
import { locales } from '../../lib/i18n/locales.ts';
import { setLocale, useTexts } from '../../lib/i18n/text-store.ts';
import { textNow, useText } from '../../lib/i18n/use-text.tsx';
import { toast, toastError } from '../../ui/feedback/toast-store.ts';
import { Segmented } from '../../ui/filters/segmented.tsx';
import { Field } from '../../ui/form/field.tsx';
import { Select } from '../../ui/form/select.tsx';
import { Panel } from '../../ui/page/page.tsx';
import { type ColorChoice, setColorChoice, useColorChoice } from '../../ui/theme/color-mode.ts';

/** The zones that this browser knows, the product's own first. */
const zones = ['Asia/Manila', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'Asia/Manila'), 'UTC'];
const zoneOptions = [...new Set(zones)].map((zone) => ({
  value: zone,
  label: zone.replaceAll('_', ' '),
  aside: <ZoneOffset zone={zone} />,
}));

/** Computed only for visible rows: there are hundreds. */
function ZoneOffset({ zone }: { zone: string }) {
  const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'shortOffset' }).formatToParts();
  return (
    <bdi dir="ltr" className="ink-3 small num">
      {parts.find(({ type }) => type === 'timeZoneName')?.value}
    </bdi>
  );
}

const localeOptions = locales.map(({ locale, label }) => ({ value: locale, label }));

/** Language, theme and zone: stored per user, and applied here immediately. */
export function PreferencesPanel({ account }: { account: Account }) {
  const t = useText();
  const refresh = useRefresh();
  const { locale } = useTexts();
  const theme = useColorChoice();
  const zone = useZone();
  const keep = async (body: NonNullable<CallInput<'PATCH /account'>['body']>, apply: () => unknown) => {
    try {
      await apply();
      await call('PATCH /account', { body });
      await refresh('/account', '/session');
      toast(textNow()('account.saved'));
    } catch (error) {
      toastError(error);
    }
  };
  return (
    <Panel title={t('account.preferences')}>
      <div className="form-grid account-preferences">
        <Field label={t('ui.language')}>
          <Select
            options={localeOptions}
            value={locale}
            onChange={(next) => next && void keep({ locale: next }, () => setLocale(next))}
          />
        </Field>
        <Field label={t('account.zone')} hint={t('account.zone.hint')}>
          <Select
            options={zoneOptions}
            value={account.zone || zone}
            onChange={(next) => next && void keep({ zone: next }, () => undefined)}
          />
        </Field>
        <Field label={t('ui.theme')} group>
          <Segmented<ColorChoice>
            label={t('ui.theme')}
            value={theme}
            options={[
              { value: 'light', label: t('ui.theme.light') },
              { value: 'dark', label: t('ui.theme.dark') },
              { value: 'system', label: t('ui.theme.system') },
            ]}
            onChange={(next) => void keep({ theme: next }, () => setColorChoice(next))}
          />
        </Field>
      </div>
    </Panel>
  );
}
