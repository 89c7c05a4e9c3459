/** Limits of what users keep of lists, apart from the schemas, which the console leaves out. */

/** Exports of one person that may be under way at the same time. */
export const openExportLimit = 3;
/** How long a file is kept, hours. */
export const exportKeptHours = 72;
/** Saved filters of one person for one list. */
export const savedFilterLimit = 20;
