/** Limits of what users keep of lists, apart from the schemas, which the console leaves out. */

/** Maximum concurrent exports per user. */
export const openExportLimit = 3;
/** How long a file is stored, hours. */
export const exportKeptHours = 72;
/** Saved views of one person for one list. */
export const savedFilterLimit = 50;
/**
 * Filters that a saved view of each list may hold, as in the list's address. None that looks for one phone number, one
 * message or one reference: a view is for what is looked at again and again.
 */
export const savedListFilters = {
  'api-calls': ['path', 'keyId', 'status', 'from', 'to'],
  'opt-outs': ['source'],
  consents: ['source', 'state'],
  applications: ['search', 'useState'],
  auditLog: ['actor', 'actorKind', 'action', 'subjectType', 'subjectId', 'customerId', 'from', 'to'],
  callbacks: ['endpointId', 'type', 'state', 'from', 'to'],
  customers: ['search', 'useState', 'reviewPolicy'],
  enquiries: [],
  groups: ['search'],
  inbound: ['optOut', 'from', 'to', 'taskId', 'appId', 'destination'],
  ledger: ['kind', 'from', 'to', 'taskId'],
  members: ['role'],
  numbers: ['useState'],
  prefixes: ['search', 'carrier'],
  records: [
    ...([
      'from',
      'to',
      'clientStatus',
      'sendStatus',
      'carrier',
      'smsType',
      'clientSid',
      'taskId',
      'templateId',
    ] as const),
    ...(['appId', 'areaCode', 'customerId', 'routeId'] as const),
  ],
  review: ['kind', 'auditStatus'],
  routes: ['search', 'carrier', 'useState'],
  senders: ['search', 'auditStatus', 'useState'],
  setAsideEvents: ['kind', 'handled', 'supplierId'],
  shortLinks: ['search', 'linkState', 'mode'],
  staff: [],
  suppliers: ['search', 'useState'],
  tasks: ['search', 'taskStatus', 'smsType', 'appId', 'from', 'to'],
  templates: ['search', 'auditStatus', 'smsType'],
  thresholds: ['kind', 'useState'],
  unownedReplies: ['optOut', 'destination'],
  verifications: ['from', 'to', 'appId', 'customerId'],
} as const;
export type SavedList = keyof typeof savedListFilters;
export const savedLists = Object.keys(savedListFilters) as [SavedList, ...SavedList[]];
/** Bounds of a column's width, in pixels. */
export const columnWidths = { min: 64, max: 800 } as const;
