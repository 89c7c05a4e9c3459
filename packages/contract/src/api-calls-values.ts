/** Closed sets of the log of API calls, apart from the schemas, which the console leaves out. */

/** First digit of the HTTP status. */
export const statusClasses = ['2', '3', '4', '5'] as const;
export type StatusClass = (typeof statusClasses)[number];

/** Days for which calls are stored. */
export const apiCallKeptDays = 7;
/** Characters of a body that are stored at most. */
export const apiCallBodyChars = 8_192;
