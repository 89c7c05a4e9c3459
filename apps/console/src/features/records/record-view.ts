/** Filters of the list as named in the address. */
export const recordFilterNames = [
  ...(['phoneAddress', 'messageId', 'from', 'to', 'clientStatus', 'sendStatus', 'carrier', 'smsType'] as const),
  ...(['clientSid', 'taskId', 'templateId', 'appId', 'areaCode', 'customerId', 'routeId', 'clientRef'] as const),
] as const;

export type RecordFilterName = (typeof recordFilterNames)[number];
export type RecordView = Partial<Record<RecordFilterName, string | undefined>>;
