import type { CallbackAttempt, CallbackEndpoint, CallbackState, EndpointState } from '@pahatid/contract';
import type { ReactNode } from 'react';
import { type Text, useText } from '../../lib/i18n/use-text.tsx';
import { type StatusLook, StatusTag } from '../../ui/status/status-tag.tsx';

const endpointLooks: Record<EndpointState, StatusLook> = {
  unverified: { glyph: 'dots', tone: 'warning' },
  enabled: { glyph: 'done', tone: 'success' },
  disabled: { glyph: 'stopped', tone: 'danger' },
};

const eventLooks: Record<CallbackState, StatusLook> = {
  waiting: { glyph: 'dots', tone: 'neutral' },
  delivered: { glyph: 'done', tone: 'success' },
  givenUp: { glyph: 'failed', tone: 'danger' },
};

export function EndpointStateTag({ state, pill = false }: { state: EndpointState; pill?: boolean }) {
  const t = useText();
  return (
    <StatusTag {...endpointLooks[state]} pill={pill}>
      {t(`callbacks.state.${state}`)}
    </StatusTag>
  );
}

interface EventStateTagProps {
  state: CallbackState;
  note?: ReactNode;
  pill?: boolean;
}

export function EventStateTag({ state, note, pill = false }: EventStateTagProps) {
  const t = useText();
  return (
    <StatusTag {...eventLooks[state]} pill={pill} note={note}>
      {t(`callbacks.event.${state}`)}
    </StatusTag>
  );
}

/** Returns the result of an attempt as short text: the HTTP status, or why there was none. */
export function answerText(t: Text, attempt: Pick<CallbackAttempt, 'status' | 'error'>): string {
  if (attempt.status === null) return attempt.error === null ? '' : t(`callbacks.error.${attempt.error}`);
  return t('callbacks.answer', { status: attempt.status });
}

/** The same with its duration and, for a failure, the reason. */
export function AttemptAnswer({ attempt }: { attempt: CallbackAttempt }) {
  const t = useText();
  const hasReason = attempt.error !== null && attempt.status !== null;
  return (
    <span>
      <bdi>{answerText(t, attempt)}</bdi> <span className="ink-3">·</span>{' '}
      <bdi className="callbacks-took">{t('callbacks.ms', { ms: attempt.ms })}</bdi>
      {hasReason && <span className="cell-note">{t(`callbacks.error.${attempt.error ?? 'status'}`)}</span>}
    </span>
  );
}

/** The callback's owner: an application by its name, or the contacts of thresholds. */
export const endpointName = (t: Text, endpoint: Pick<CallbackEndpoint, 'kind' | 'appName' | 'appId'>): string =>
  endpoint.kind === 'alert' ? t('callbacks.endpoint.alert') : (endpoint.appName ?? endpoint.appId ?? '');
