import type { ApiScope } from '@pahatid/contract';
import type { MessageKey } from '../../lib/i18n/message-key.ts';

/** What each scope opens, by the names of the screens where people do the same. */
export const scopeLabels: Record<ApiScope, MessageKey> = {
  'messages:send': 'developer.send',
  'messages:read': 'records.title',
  tasks: 'tasks.title',
  templates: 'templates.title',
  senders: 'senders.title',
  groups: 'groups.title',
  'opt-outs': 'optOuts.title',
  replies: 'inbound.title',
  'billing:read': 'billing.title',
  'statistics:read': 'statistics.title',
  callbacks: 'callbacks.title',
  verify: 'applications.doubt.verification',
};
