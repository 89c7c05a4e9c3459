import type { ConversationEntry } from '@pahatid/contract';
import { Zap } from 'lucide-react';
import { useText } from '../../lib/i18n/use-text.tsx';
import { classNames } from '../../ui/base/class-names.ts';
import { Icon } from '../../ui/base/icon.tsx';
import { DateTime, formatPhone } from '../../ui/data/text.tsx';
import { clientStatusLooks } from '../../ui/status/looks.ts';
import { StatusTag } from '../../ui/status/status-tag.tsx';

/** A reply at the start of the line, a message at its end, with its state. */
export function Entry({ entry, mobileNumber }: { entry: ConversationEntry; mobileNumber: string }) {
  const t = useText();
  const isMessage = entry.kind === 'message';
  return (
    <article className={classNames('conversation-entry', isMessage && 'is-sent')}>
      <p className="conversation-bubble">
        <span className="visually-hidden">{isMessage ? entry.clientSid : formatPhone(mobileNumber)}: </span>
        <bdi>{entry.content}</bdi>
      </p>
      <p className="conversation-meta">
        {isMessage && entry.automaticFor !== null && <span>{t('conversations.automatic')}</span>}
        {isMessage && (
          <>
            {entry.taskName !== null && <bdi className="clip">{entry.taskName}</bdi>}
            <bdi>{entry.clientSid}</bdi>
          </>
        )}
        <DateTime value={entry.time} style="minute" />
        {isMessage && (
          <StatusTag {...clientStatusLooks[entry.clientStatus]!}>{t(`records.status.${entry.clientStatus}`)}</StatusTag>
        )}
        {!isMessage && entry.answeredBy !== null && (
          <span className="conversation-keyword">
            <Icon of={Zap} size="small" />
            <span className="visually-hidden">{t('conversations.rules.words')}: </span>
            <bdi>{entry.answeredBy}</bdi>
          </span>
        )}
        {!isMessage && entry.answerRefusal !== null && (
          <span>
            {t('conversations.unanswered')}: {t.maybe(`error.${entry.answerRefusal}`) ?? entry.answerRefusal}
          </span>
        )}
        {!isMessage && entry.optOut === 1 && (
          <StatusTag glyph="bar" tone="warning">
            {t('inbound.kind.1')}
          </StatusTag>
        )}
      </p>
    </article>
  );
}
