import type { CallInput } from '@pahatid/contract';
import type { GetKey } from './use-call.ts';

type QueryOf<K extends GetKey> = CallInput<K> extends { query?: infer Q } ? Exclude<Q, undefined> : never;
type SortOf<K extends GetKey> = QueryOf<K> extends { sort?: infer S } ? Exclude<S, undefined> : never;

/**
 * The orders of each list whose table has a column for them, the usual one first: a field of its rows, `-` reverses
 * it. `usual` is an order that no column shows.
 */
export const listOrders = {
  'GET /account-requests': ['-requestTime', 'requestTime'],
  'GET /applications': ['-createTime', 'createTime', 'appName'],
  'GET /audit-log': ['-time', 'time'],
  'GET /billing/days': ['-day', 'day'],
  'GET /billing/ledger': ['-time', 'time'],
  'GET /callbacks': ['-time', 'time'],
  'GET /calls': ['-time', 'time'],
  'GET /consents': ['-createTime', 'createTime'],
  'GET /customers': ['customerName', '-createTime'],
  'GET /dossier-queue': ['changeTime', '-changeTime'],
  'GET /enquiries': ['-time', 'time'],
  'GET /groups': ['-createTime', 'createTime'],
  'GET /groups/:groupId/members': ['mobileNumber', '-mobileNumber'],
  'GET /inbound': ['-time', 'time'],
  'GET /keys': ['-createTime', 'createTime'],
  'GET /members': ['name', '-name'],
  'GET /numbers': ['number', '-number'],
  'GET /opt-outs': ['-time', 'time'],
  'GET /prefixes': ['prefix', '-prefix'],
  'GET /price-changes': ['-effectiveTime', 'effectiveTime'],
  'GET /prohibited-terms': ['term', '-term'],
  'GET /reviews': ['usual', 'submitTime', '-submitTime'],
  'GET /routes': ['-priority', 'priority'],
  'GET /senders': ['-operateTime', 'operateTime', 'senderId'],
  'GET /set-aside-events': ['-time', 'time'],
  'GET /short-links': ['-createTime', 'createTime'],
  'GET /short-links/:linkId/clicks': ['-clickTime', 'clickTime'],
  'GET /smpp-binds': ['-since', 'since'],
  'GET /staff': ['name', '-name'],
  'GET /statistics/verifications': ['-startedCount', 'startedCount', 'areaCode', '-areaCode'],
  'GET /suppliers': ['supplierAccount', '-supplierAccount'],
  'GET /tasks': ['-createTime', 'createTime'],
  'GET /tasks/:taskId/log': ['-sendTime', 'sendTime'],
  'GET /templates': ['-updateTime', 'updateTime', 'templateName'],
  'GET /unowned-replies': ['-time', 'time'],
} as const satisfies { [K in GetKey]?: readonly (SortOf<K> | 'usual')[] };

export type OrderedList = keyof typeof listOrders;

/** A list's order as its table shows and changes it. */
export interface ListOrder {
  orders: readonly string[];
  /** The order that the list is in now. */
  current: string;
  /** Undefined: the usual one. */
  onChange: (order: string | undefined) => void;
}
