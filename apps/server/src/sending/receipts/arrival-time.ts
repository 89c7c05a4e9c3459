/**
 * When a carrier's PDU arrived, in Unix milliseconds. A receipt of a message in doubt is for one that was accepted before
 * it arrived, so while the clock of the machine is set back, the time is that of the process's start and what has
 * passed since.
 */
export const readArrivalMs = (): number => Math.max(Date.now(), Math.floor(performance.timeOrigin + performance.now()));
