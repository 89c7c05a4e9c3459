import type { ApiCall } from '@pahatid/contract';
import { type StatusLook, StatusTag } from '../../ui/status/status-tag.tsx';

const lookOf = (status: number): StatusLook => {
  if (status >= 500) return { glyph: 'failed', tone: 'danger' };
  return status >= 400 ? { glyph: 'stopped', tone: 'warning' } : { glyph: 'done', tone: 'success' };
};

/** HTTP status of a call, and the code of its error. */
export function CallStatus({ call, pill = false }: { call: ApiCall; pill?: boolean }) {
  return (
    <StatusTag {...lookOf(call.status)} pill={pill} note={!pill && call.errorCode && <code>{call.errorCode}</code>}>
      {call.status}
    </StatusTag>
  );
}
