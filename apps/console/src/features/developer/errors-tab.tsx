import { applicationErrors, type ErrorCode, errorCatalogue, messageErrors } from '@pahatid/contract';
import { type Text, useText } from '../../lib/i18n/use-text.tsx';
import { Bdi, Dash, Mono } from '../../ui/data/text.tsx';
import { Panel } from '../../ui/page/page.tsx';

/** Errors that no change of the request can fix. */
const inConsole = new Set<ErrorCode>([
  'APP_CREDENTIALS_INVALID',
  'APP_DISABLED',
  'APP_NO_HTTP_ACCESS',
  'APP_PAUSED',
  'ADDRESS_NOT_ALLOWED',
  'BALANCE_TOO_LOW',
  'COUNTRY_NOT_OPEN',
  'SENDER_NOT_SENDABLE',
  'SENDER_REQUIRED',
  'TEMPLATE_NOT_SENDABLE',
]);
/** Errors that end without intervention. */
const passing = new Set<ErrorCode>(['NO_ROUTE', 'RATE_LIMITED', 'FREQUENCY_LIMITED', 'VOLUME_LIMITED']);
const serverFault = 500;

/** Ended only by the provider, as its meaning states. */
const byProvider: ErrorCode = 'CUSTOMER_SUSPENDED';

const remedyFor = (code: ErrorCode): 'again' | 'console' | 'fix' => {
  if (passing.has(code) || errorCatalogue[code].status >= serverFault) return 'again';
  return inConsole.has(code) ? 'console' : 'fix';
};

/** Uses the API's text if there is one; the console's own fit errors without parameters. */
const meaningOf = (t: Text, code: ErrorCode): string =>
  (code !== byProvider && t.maybe(`applications.refused.${code}`)) || (t.maybe(`error.${code}`) ?? '');

const codes = [...applicationErrors, ...messageErrors]
  .map((code) => ({ code, status: errorCatalogue[code].status }))
  .sort((a, b) => a.status - b.status);

/** Every error of the catalogue that an application's own call may receive. */
export function ErrorsTab() {
  const t = useText();
  return (
    <Panel>
      <p className="ink-2 developer-errors-text">{t('developer.errors.text')}</p>
      <table className="plain-table is-stacked developer-errors">
        <caption className="visually-hidden">{t('developer.tab.errors')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('developer.errors.code')}</th>
            <th scope="col">{t('developer.errors.status')}</th>
            <th scope="col">{t('developer.errors.meaning')}</th>
            <th scope="col">{t('developer.errors.do')}</th>
          </tr>
        </thead>
        <tbody>
          {codes.map(({ code, status }) => (
            <tr key={code}>
              <td data-label={t('developer.errors.code')}>
                <Mono>{code}</Mono>
              </td>
              <td data-label={t('developer.errors.status')}>
                <Bdi>{status}</Bdi>
              </td>
              <td data-label={t('developer.errors.meaning')}>{meaningOf(t, code)}</td>
              <td data-label={t('developer.errors.do')}>
                {code === byProvider ? <Dash /> : t(`developer.errors.do.${remedyFor(code)}`)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}
