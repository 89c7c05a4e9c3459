/** `records-2026-11-21-1830`, by UTC and without its ending. */
export const exportFileName = (list: string, at: Date): string =>
  `${list}-${at.toISOString().slice(0, 16).replace('T', '-').replace(':', '')}`;
