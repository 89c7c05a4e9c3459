/** Limits of what users keep of lists, apart from the schemas, which the console leaves out. */

/** Maximum concurrent exports per user. */
export const openExportLimit = 3;
/** How long a file is stored, hours. */
export const exportKeptHours = 72;
/** Saved filters of one person for one list. */
export const savedFilterLimit = 20;
/** Bounds of a column's width, in pixels. */
export const columnWidths = { min: 64, max: 800 } as const;
