import type { AuditEntryDetail } from '@pahatid/contract';
import { useSession } from '../../lib/api/session.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { ButtonLink } from '../../ui/base/button-link.tsx';
import { Bdi, CopyText, Dash, DateTime, Mono } from '../../ui/data/text.tsx';
import { FailedState } from '../../ui/feedback/blank.tsx';
import { Delayed, SkeletonLines } from '../../ui/feedback/skeleton.tsx';
import { Drawer } from '../../ui/layers/drawer.tsx';
import { Facts, Section } from '../../ui/page/page.tsx';
import { Actor, Address, actionWord, subjectWord } from './audit-parts.tsx';
import { StateDiff } from './state-diff.tsx';
import './audit-log.css';

export function AuditDrawer({ auditId, onClose }: { auditId: string; onClose: () => void }) {
  const t = useText();
  const detail = useCall('GET /audit-log/:auditId', { params: { auditId } });
  const entry = detail.data;
  return (
    <Drawer
      title={entry ? `${subjectWord(t, entry.subjectType)} · ${actionWord(t, entry.action)}` : t('audit.entry')}
      meta={entry && <DateTime value={entry.time} style="stamp" />}
      actions={
        entry && (
          <>
            {entry.subjectId.length > 1 && (
              <ButtonLink to="/auditLog" search={{ subjectId: entry.subjectId }}>
                {t('audit.ofSubject')}
              </ButtonLink>
            )}
            {entry.actor.userId !== null && entry.actor.account !== null && (
              <ButtonLink to="/auditLog" search={{ actor: entry.actor.account }}>
                {t('audit.byActor')}
              </ButtonLink>
            )}
          </>
        )
      }
      onClose={onClose}
    >
      {entry && <OpenEntry entry={entry} />}
      {!entry && detail.error && <FailedState error={detail.error} onRetry={() => void detail.refetch()} />}
      {!entry && !detail.error && (
        <Delayed>
          <SkeletonLines />
        </Delayed>
      )}
    </Drawer>
  );
}

function OpenEntry({ entry }: { entry: AuditEntryDetail }) {
  const t = useText();
  const isStaff = useSession().user.kind === 'staff';
  return (
    <div className="audit-entry">
      <Section title={t('audit.changes')}>
        <StateDiff before={entry.before} after={entry.after} />
      </Section>
      <Section title={t('audit.facts')}>
        <Facts
          items={[
            { key: 'actor', label: t('audit.actor'), value: <Actor entry={entry} /> },
            ...(isStaff
              ? [
                  {
                    key: 'customer',
                    label: t('audit.customer'),
                    value: entry.operator === undefined ? <Dash /> : <Bdi>{entry.operator}</Bdi>,
                  },
                ]
              : []),
            ...(entry.subjectName === null
              ? []
              : [{ key: 'name', label: t('audit.subject'), value: <Bdi>{entry.subjectName}</Bdi> }]),
            {
              key: 'subject',
              label: t('audit.subjectId'),
              value: <CopyText text={entry.subjectId} label={t('audit.subjectId')} />,
            },
            { key: 'from', label: t('audit.from'), value: <Address ip={entry.ip} /> },
            {
              key: 'agent',
              label: t('audit.userAgent'),
              value: entry.userAgent === null ? <Dash /> : <Bdi>{entry.userAgent}</Bdi>,
            },
            ...(entry.chain === null
              ? []
              : [
                  {
                    key: 'chain',
                    label: t('audit.chain'),
                    value: t('audit.chain.text', { seq: Number(entry.chain.seq) }),
                  },
                  {
                    key: 'hash',
                    label: t('audit.hash'),
                    value: (
                      <span className="audit-hash">
                        <Mono>{entry.chain.hash}</Mono>
                        <span className="cell-note">{t('audit.hash.hint')}</span>
                      </span>
                    ),
                  },
                ]),
          ]}
        />
      </Section>
    </div>
  );
}
