/**
 * The header that a balancer puts before the first octet of a connection, to name the client's own address: version 1
 * (text) and version 2 (binary) of the PROXY protocol, https://www.haproxy.org/download/3.0/doc/proxy-protocol.txt.
 */
import { isIP } from 'node:net';

export type ProxySource = { address: string; port: number };

export type ProxyHeader =
  | { kind: 'more' }
  | { kind: 'bad' }
  /** `octets`: length of the header. Without a source the balancer speaks for itself (its health check). */
  | { kind: 'header'; octets: number; source: ProxySource | undefined };

const SIGNATURE_2 = Buffer.from('0d0a0d0a000d0a515549540a', 'hex');
const START_1 = Buffer.from('PROXY ');
/** Longest header of version 1, its line end included. */
const LONGEST_1 = 107;
/** A header of version 2 has 16 octets and its addresses; more than this in TLVs is refused. */
const LONGEST_2 = 16 + 512;

export function parseProxyHeader(octets: Buffer): ProxyHeader {
  if (startsLike(octets, START_1)) return parseText(octets);
  if (startsLike(octets, SIGNATURE_2)) return parseBinary(octets);
  return { kind: 'bad' };
}

/** As far as there are octets. */
function startsLike(octets: Buffer, start: Buffer): boolean {
  const length = Math.min(octets.length, start.length);
  return octets.subarray(0, length).equals(start.subarray(0, length));
}

function parseText(octets: Buffer): ProxyHeader {
  const end = octets.indexOf('\r\n');
  if (end === -1) return octets.length < LONGEST_1 ? { kind: 'more' } : { kind: 'bad' };
  const [, protocol, address = '', , port = '', ...rest] = octets.toString('latin1', 0, end).split(' ');
  const header = { kind: 'header', octets: end + 2 } as const;
  if (protocol === 'UNKNOWN') return { ...header, source: undefined };
  // PROXY TCP4 192.0.2.1 198.51.100.1 56324 443
  const family = protocol === 'TCP4' ? 4 : protocol === 'TCP6' ? 6 : 0;
  if (family === 0 || isIP(address) !== family || !/^\d{1,5}$/.test(port) || rest.length !== 1) return { kind: 'bad' };
  return { ...header, source: { address, port: Number(port) } };
}

function parseBinary(octets: Buffer): ProxyHeader {
  if (octets.length < 16) return { kind: 'more' };
  const end = 16 + octets.readUInt16BE(14);
  const command = octets.readUInt8(12);
  if (end > LONGEST_2 || command >> 4 !== 2 || (command & 0x0f) > 1) return { kind: 'bad' };
  if (octets.length < end) return { kind: 'more' };
  const header = { kind: 'header', octets: end } as const;
  const family = octets.readUInt8(13) >> 4;
  if ((command & 0x0f) === 0 || family === 0) return { ...header, source: undefined };
  if (family === 1 && end >= 28)
    return { ...header, source: { address: octets.subarray(16, 20).join('.'), port: octets.readUInt16BE(24) } };
  if (family === 2 && end >= 52)
    return { ...header, source: { address: formatIpv6(octets.subarray(16, 32)), port: octets.readUInt16BE(48) } };
  return { kind: 'bad' };
}

const formatIpv6 = (octets: Buffer): string =>
  Array.from({ length: 8 }, (_, n) => octets.readUInt16BE(n * 2).toString(16)).join(':');
