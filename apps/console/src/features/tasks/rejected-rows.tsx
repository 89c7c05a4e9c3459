import type { TaskDetail } from '@pahatid/contract';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { exportCsv } from '../../lib/api/export-csv.ts';
import { useMay } from '../../lib/api/session.ts';
import { useTexts } from '../../lib/i18n/text-store.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Count } from '../../ui/data/text.tsx';
import { EmptyState } from '../../ui/feedback/blank.tsx';
import { toastError } from '../../ui/feedback/toast-store.ts';
import { Facts, Note } from '../../ui/page/page.tsx';

/** Reports come in the two languages of the catalogues. */
export const useReportLanguage = (): 'zh-CN' | 'en-US' => (useTexts().locale.startsWith('zh') ? 'zh-CN' : 'en-US');

/** Rows of the file that are no recipients, with the report to download. */
export function RejectedRows({ task }: { task: TaskDetail }) {
  const t = useText();
  const lang = useReportLanguage();
  const mayDownload = useMay('owner', 'member');
  const [busy, setBusy] = useState(false);
  const rejected = task.file?.rejectedCount ?? 0;
  const all = rejected + task.droppedCount;

  const download = async () => {
    setBusy(true);
    await exportCsv(
      'GET /tasks/:taskId/rejects',
      { params: { taskId: task.taskId }, query: { lang } },
      'rejected-rows.csv',
    ).catch(toastError);
    setBusy(false);
  };

  if (all === 0) return <EmptyState title={t('tasks.rejected.none')}>{t('tasks.rejected.none.text')}</EmptyState>;
  return (
    <div className="stack tasks-rejected">
      <Facts
        items={[
          { key: 'file', label: t('tasks.rejected.file'), value: <Count value={rejected} /> },
          { key: 'dropped', label: t('tasks.rejected.dropped'), value: <Count value={task.droppedCount} /> },
          {
            key: 'duplicate',
            label: t('tasks.rejected.duplicate'),
            value: <Count value={task.file?.duplicateCount ?? 0} />,
          },
        ]}
      />
      <p className="small ink-2">{t('tasks.rejected.text')}</p>
      {mayDownload ? (
        <div>
          <Button icon={Download} loading={busy} onClick={() => void download()}>
            {t('tasks.rejected.download')}
          </Button>
        </div>
      ) : (
        <Note>{t('tasks.rejected.mayNot')}</Note>
      )}
    </div>
  );
}
