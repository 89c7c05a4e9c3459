/** From when on something of accounts or personal data is worth a look by staff. Settings: `PAHATID_ALARM_…`. */

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** An alarm's own pause (`raiseAlarm`): what has left this window when it ends is not raised twice. */
export const windowMs = hourMs;

/** Of all networks together, as a multiple of what one network may try. */
export const allNetworksFactor = 10;

/** Software asks for the messages that it sent, users look one up now and then. */
export const softwareFactor = 20;
/** The length of a page of messages unless another is asked for. */
export const perPage = 20;

/** Exports are large for one user and small for another: several times those of the busiest earlier day are unusual. */
export const exportWindowMs = dayMs;
export const usualExportsMs = 30 * dayMs;
export const unusualFactor = 3;
/** Files of one user in a day; lists as csv do not say how many rows they had. */
export const exportedFiles = 50;

/** A network in which an owner has not been for longer is new again. */
export const knownNetworkMs = 90 * dayMs;

/** Longer than responses may be late, as on the console's overview. */
export const unmatchedReceipts = { waitedS: 10 * 60, withinS: 7 * 24 * 3_600 };
