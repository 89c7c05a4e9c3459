import type { ApplicationDetail } from '@pahatid/contract';
import type { MessageKey } from '../../lib/i18n/message-key.ts';

type Reason = ApplicationDetail['refusedBinds'][number]['reason'];

/** Why a bind was refused; some reasons are those of refused requests over HTTP. */
export const bindRefusalKey: Readonly<Record<Reason, MessageKey>> = {
  password: 'applications.bindRefused.password',
  address: 'applications.refused.ADDRESS_NOT_ALLOWED',
  noAddresses: 'applications.bindRefused.noAddresses',
  disabled: 'applications.refused.APP_DISABLED',
  noAccess: 'applications.bindRefused.noAccess',
  connections: 'applications.bindRefused.connections',
  tooOften: 'applications.refused.RATE_LIMITED',
};
