import type { RecipientImport } from '@pahatid/contract';
import { exportCsv } from '../../lib/api/export-csv.ts';
import { useMay } from '../../lib/api/session.ts';
import { useTexts } from '../../lib/i18n/text-store.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Bar } from '../../ui/data/pictures.tsx';
import { DateTime } from '../../ui/data/text.tsx';
import { EmptyState } from '../../ui/feedback/blank.tsx';
import { toastError } from '../../ui/feedback/toast-store.ts';
import { StatusTag } from '../../ui/status/status-tag.tsx';

const looks = {
  waiting: { glyph: 'half', tone: 'primary' },
  done: { glyph: 'done', tone: 'success' },
  fail: { glyph: 'failed', tone: 'danger' },
} as const;

/** Recent imports, their results, and the rejected rows. */
export function ImportList({ imports }: { imports: readonly RecipientImport[] }) {
  const t = useText();
  if (imports.length === 0)
    return <EmptyState title={t('groups.intake.none')}>{t('groups.intake.none.text')}</EmptyState>;
  return (
    <ul className="groups-intakes">
      {imports.map((recipientImport) => (
        <li key={recipientImport.importId}>
          <ImportItem recipientImport={recipientImport} />
        </li>
      ))}
    </ul>
  );
}

function ImportItem({ recipientImport }: { recipientImport: RecipientImport }) {
  const t = useText();
  const mayDownload = useMay('owner', 'member');
  const lang = useTexts().locale.startsWith('zh') ? 'zh-CN' : 'en-US';
  const { file, state, error, kind, addedCount, updatedCount, keptCount } = recipientImport;
  const download = (fileId: string) =>
    exportCsv('GET /files/:fileId/rejects', { params: { fileId }, query: { lang } }, 'rejected-rows.csv').catch(
      toastError,
    );
  return (
    <>
      <div className="row wrap">
        <strong className="grow">{file ? <bdi>{file.fileName}</bdi> : t(`groups.intake.kind.${kind}`)}</strong>
        <StatusTag {...looks[state]}>{t(`groups.intake.state.${state}`)}</StatusTag>
      </div>
      {state === 'waiting' && (
        <div
          role="progressbar"
          aria-label={t('groups.intake.progress')}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.round(recipientImport.progress)}
        >
          <Bar parts={[{ kind: 'done', share: recipientImport.progress / 100 }]} />
        </div>
      )}
      <p className="small ink-2">
        {t('groups.intake.counts', { added: addedCount, updated: updatedCount, kept: keptCount })}
        {file && file.rejectedCount > 0 && ` · ${t('groups.intake.rejected', { count: file.rejectedCount })}`}
      </p>
      {error && <p className="small is-danger">{t.maybe(`error.${error}`, { limit: 1_000_000 }) ?? error}</p>}
      <div className="row wrap tiny ink-3">
        <span className="grow">
          <DateTime value={recipientImport.createTime} style="short" />
        </span>
        {mayDownload && file && file.rejectedCount > 0 && (
          <Button variant="link" size="small" onClick={() => void download(file.fileId)}>
            {t('groups.intake.download')}
          </Button>
        )}
      </div>
    </>
  );
}
