import type { AccountRequest } from '@pahatid/contract';
import type { AccountRequestRow } from '@pahatid/db/queries/account-requests';

export function presentAccountRequest(row: AccountRequestRow): AccountRequest {
  const { requestedAt, confirmedAt, decidedAt, ...request } = row;
  return {
    ...request,
    requestTime: requestedAt.toISOString(),
    confirmTime: confirmedAt?.toISOString() ?? null,
    decideTime: decidedAt?.toISOString() ?? null,
  };
}
