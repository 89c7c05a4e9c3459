import type { Erasure } from '@pahatid/contract';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Dash, DateTime, PhoneNumber } from '../../ui/data/text.tsx';
import { Panel } from '../../ui/page/page.tsx';
import { StatusTag } from '../../ui/status/status-tag.tsx';

/** The latest erasures, their numbers masked. */
export function ErasedNumbers({ erasures }: { erasures: readonly Erasure[] }) {
  const t = useText();
  if (erasures.length === 0)
    return (
      <Panel title={t('privacy.erasures')}>
        <p className="ink-3">{t('privacy.erasures.none')}</p>
      </Panel>
    );
  return (
    <Panel title={t('privacy.erasures')}>
      <table className="plain-table is-stacked">
        <caption className="visually-hidden">{t('privacy.erasures')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('privacy.erasures.number')}</th>
            <th scope="col">{t('privacy.erasures.asked')}</th>
            <th scope="col">{t('privacy.erasures.by')}</th>
            <th scope="col">{t('privacy.erasures.erased')}</th>
            <th scope="col">{t('privacy.erasures.state')}</th>
          </tr>
        </thead>
        <tbody>
          {erasures.map((erasure) => (
            <tr key={erasure.erasureId}>
              <td data-label={t('privacy.erasures.number')}>
                <PhoneNumber value={erasure.mobileNumber} />
              </td>
              <td data-label={t('privacy.erasures.asked')}>
                <DateTime value={erasure.askedTime} style="stamp" />
              </td>
              <td data-label={t('privacy.erasures.by')}>{erasure.askedBy ? <bdi>{erasure.askedBy}</bdi> : <Dash />}</td>
              <td data-label={t('privacy.erasures.erased')}>
                {t('privacy.erasures.counts', {
                  messages: erasure.counts.messageCount,
                  files: erasure.counts.fileCount,
                })}
              </td>
              <td data-label={t('privacy.erasures.state')}>
                {erasure.doneTime ? (
                  <StatusTag glyph="tick" tone="success">
                    {t('privacy.erasures.done')}
                  </StatusTag>
                ) : (
                  <StatusTag glyph="half" tone="primary">
                    {t('privacy.erasures.open')}
                  </StatusTag>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}
