/** Positions in the WAL: `16/B374D848` as a number of bytes, and the names of its segments. */

export const toLsn = (text: string): bigint => {
  const [high = '', low = ''] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
};

export const formatLsn = (lsn: bigint): string =>
  `${(lsn >> 32n).toString(16).toUpperCase()}/${(lsn & 0xffffffffn).toString(16).toUpperCase()}`;

const hex8 = (value: bigint): string => value.toString(16).toUpperCase().padStart(8, '0');

/** Name of the segment that begins at `start`. */
export const toSegmentName = (timeline: number, start: bigint, segmentBytes: number): string => {
  const perId = 0x100000000n / BigInt(segmentBytes);
  const number = start / BigInt(segmentBytes);
  return `${hex8(BigInt(timeline))}${hex8(number / perId)}${hex8(number % perId)}`;
};

/** The beginning of the segment that holds the position. */
export const toSegmentStart = (lsn: bigint, segmentBytes: number): bigint => lsn - (lsn % BigInt(segmentBytes));
