/** What the log of API calls keeps in the address. */
export const callFilters = ['requestId', 'path', 'keyId', 'status', 'from', 'to'] as const;
