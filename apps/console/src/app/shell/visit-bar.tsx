import { call } from '../../lib/api/call.ts';
import { useSession } from '../../lib/api/session.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { ViewBar } from './view-bar.tsx';

const goToSite = () => window.location.assign('/');

/** Shown on every screen to a visitor of a public demo: until when, the way to an account, and the exit. */
export function VisitBar() {
  const t = useText();
  const formats = useFormats();
  const { visit } = useSession();
  if (!visit) return null;
  return (
    <ViewBar
      label={t('shell.visit')}
      until={visit.until}
      leave={() => call('DELETE /session')}
      onLeft={goToSite}
      actions={
        <a className="button is-small" href="/request-account">
          {t('shell.visit.request')}
        </a>
      }
    >
      {t.rich('shell.visit.text', {
        time: <bdi dir="ltr">{formats.date(visit.until, 'minute')}</bdi>,
        b: (chunks) => <b>{chunks}</b>,
      })}
    </ViewBar>
  );
}
