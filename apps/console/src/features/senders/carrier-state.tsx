import type { AuditStatus } from '@pahatid/contract';
import { useText } from '../../lib/i18n/use-text.tsx';
import { auditStatusLooks } from '../../ui/status/looks.ts';
import { StatusTag } from '../../ui/status/status-tag.tsx';

/** How far the registration with a carrier is. */
export function CarrierState({ status }: { status: AuditStatus }) {
  const t = useText();
  return <StatusTag {...auditStatusLooks[status]!}>{t(`senders.carrier.${status}`)}</StatusTag>;
}
