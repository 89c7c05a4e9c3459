import { AuditStatus, type ReviewItem } from '@pahatid/contract';
import { useEffect, useEffectEvent, useState } from 'react';
import { ApiError } from '../../lib/api/api-error.ts';
import { apiBase, call } from '../../lib/api/call.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { toastError } from '../../ui/feedback/toast-store.ts';

/** The server's lease is five minutes; while the reviewer is active it is renewed at this interval. */
const renewMs = 60_000;
/** Interval for retrying a claim that another reviewer holds. */
const retryMs = 15_000;

/**
 * Claims, decisions and releases run one after the other, in the order in which the reviewer caused them: a release
 * that overtook a claim would leave the item on the screen without a claim.
 */
let last: Promise<unknown> = Promise.resolve();
export function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const turn = last.then(work, work);
  last = turn.catch(() => undefined);
  return turn;
}

export interface Claim {
  /** Name of the reviewer that holds it instead. */
  heldBy: string | null;
  /** Decides in turn. */
  decide: (act: () => Promise<unknown>) => Promise<unknown>;
}

const paramsOf = (item: ReviewItem) => ({ kind: `${item.kind}s` as const, id: item.id });

/** Claims the open item for this reviewer, until it is closed or five minutes have passed without activity. */
export function useClaim(item: ReviewItem): Claim {
  const refresh = useRefresh();
  const [refusedBy, setRefusedBy] = useState<string | null>(null);
  const { claim, id, kind } = item;
  const pending = item.auditStatus === AuditStatus.Pending;
  // The list is refreshed every few seconds, so it knows when the other reviewer left.
  const other = claim !== null && !claim.isMine ? claim.name : null;

  const take = useEffectEvent(async () => {
    try {
      await call('POST /reviews/:kind/:id/claim', { params: paramsOf(item) });
      setRefusedBy(null);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code === 'REVIEW_CLAIMED') setRefusedBy(String(error.params?.['name'] ?? ''));
      else if (error.code !== 'ALREADY_REVIEWED') toastError(error);
      await refresh('/reviews');
    }
  });

  useEffect(() => {
    if (!pending || other !== null) return;
    const path = `${apiBase}/reviews/${kind}s/${id}/release`;
    let active = false;
    const notice = (): void => {
      active = true;
    };
    // Closing the window is leaving as well.
    const leave = (): void => void fetch(path, { method: 'POST', credentials: 'same-origin', keepalive: true });
    const renew = setInterval(() => {
      if (!active) return;
      active = false;
      void inTurn(take);
    }, renewMs);
    for (const event of ['keydown', 'pointermove', 'scroll'] as const) document.addEventListener(event, notice, true);
    window.addEventListener('pagehide', leave);
    void inTurn(take);
    return () => {
      clearInterval(renew);
      for (const event of ['keydown', 'pointermove', 'scroll'] as const)
        document.removeEventListener(event, notice, true);
      window.removeEventListener('pagehide', leave);
      void inTurn(() =>
        call('POST /reviews/:kind/:id/release', { params: { kind: `${kind}s`, id } }).catch(() => undefined),
      );
    };
  }, [pending, other, kind, id]);

  // The other reviewer may have left before the list was read.
  useEffect(() => {
    if (refusedBy === null) return;
    const retry = setInterval(() => void inTurn(take), retryMs);
    return () => clearInterval(retry);
  }, [refusedBy]);

  return {
    heldBy: other ?? refusedBy,
    decide: inTurn,
  };
}
