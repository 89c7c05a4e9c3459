import type { Dossier } from '@pahatid/contract';
import { X } from 'lucide-react';
import { call } from '../../lib/api/call.ts';
import { saveBlob } from '../../lib/api/export-csv.ts';
import { useMay } from '../../lib/api/session.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { attachmentBlob } from '../../lib/files/attachments.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Dash } from '../../ui/data/text.tsx';
import { toastError } from '../../ui/feedback/toast-store.ts';
import { type StatusLook, StatusTag } from '../../ui/status/status-tag.tsx';

const looks = {
  new: { glyph: 'dots', tone: 'neutral' },
  checked: { glyph: 'done', tone: 'success' },
  returned: { glyph: 'cross', tone: 'danger' },
} as const satisfies Record<string, StatusLook>;

export function DossierPapers({ dossier, mayWrite }: { dossier: Dossier; mayWrite: boolean }) {
  const t = useText();
  const formats = useFormats();
  const refresh = useRefresh();
  const isViewer = useMay('viewer');
  const { dossierId, papers } = dossier;
  if (papers.length === 0) return <Dash />;
  const save = async (paperId: string) => {
    const file = await call('GET /dossiers/:dossierId/papers/:paperId', { params: { dossierId, paperId } });
    saveBlob(attachmentBlob(file), file.name);
  };
  const remove = async (paperId: string) => {
    await call('DELETE /dossiers/:dossierId/papers/:paperId', { params: { dossierId, paperId } });
    await refresh('/senders', '/dossiers');
  };
  return (
    <ul className="dossier-list">
      {papers.map(({ paperId, name, kind, sizeBytes, state }) => (
        <li key={paperId}>
          <span className="dossier-paper">
            {isViewer ? (
              <bdi>{name}</bdi>
            ) : (
              <Button variant="link" onClick={() => void save(paperId).catch(toastError)}>
                <bdi>{name}</bdi>
              </Button>
            )}
            <span className="small ink-3">
              {t(`dossiers.paper.kind.${kind}`)} · <bdi>{formats.bytes(sizeBytes)}</bdi>
            </span>
          </span>
          <StatusTag {...looks[state]}>
            {state === 'new' ? t('approvals.state.pending') : t(`dossiers.paper.${state}`)}
          </StatusTag>
          {mayWrite && (
            <Button
              variant="quiet"
              size="small"
              icon={X}
              aria-label={t('dossiers.remove', { name })}
              onClick={() => void remove(paperId).catch(toastError)}
            />
          )}
        </li>
      ))}
    </ul>
  );
}
