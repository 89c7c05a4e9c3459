/**
 * Permitted targets of a short link. No process of ours ever fetches it, but handsets do: an address that only has
 * meaning inside a network is a mistake or an attack on the network of the user that clicks.
 */
const TARGET_URL_LIMIT = 2_000;

export type TargetRefusal =
  | 'URL_INVALID'
  | 'URL_TOO_LONG'
  | 'URL_SCHEME'
  | 'URL_CREDENTIALS'
  | 'URL_PRIVATE_HOST'
  | 'URL_SHORT_LINK';

/** The address as browsers read it, or why it is refused. `ownDomain`: of our short links, to which none may lead. */
export function checkTargetUrl(
  text: string,
  ownDomain: string | null = null,
): { ok: true; url: string } | { ok: false; code: TargetRefusal } {
  const trimmed = text.trim();
  if (trimmed.length > TARGET_URL_LIMIT) return refuse('URL_TOO_LONG');
  if (/[\s\p{Cc}\\]/u.test(trimmed) || !URL.canParse(trimmed)) return refuse('URL_INVALID');
  const url = new URL(trimmed);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return refuse('URL_SCHEME');
  if (!/^https?:\/\/[^/]/i.test(trimmed)) return refuse('URL_INVALID');
  if (url.username !== '' || url.password !== '') return refuse('URL_CREDENTIALS');
  if (ownDomain !== null && `${url.host}${url.pathname}`.toLowerCase().startsWith(`${ownDomain.toLowerCase()}/s/`))
    return refuse('URL_SHORT_LINK');
  if (isPrivateHost(url.hostname)) return refuse('URL_PRIVATE_HOST');
  if (url.href.length > TARGET_URL_LIMIT) return refuse('URL_TOO_LONG');
  return { ok: true, url: url.href };
}

const refuse = (code: TargetRefusal) => ({ ok: false, code }) as const;

/** Names that no public name server resolves (RFC 2606, 6761, 6762, 8375, 9476 and names assigned by routers). */
const PRIVATE_ENDINGS = new Set(
  [
    'local',
    'localhost',
    'localdomain',
    'internal',
    'intranet',
    'private',
    'corp',
    'home',
    'lan',
    'arpa',
    'onion',
    // Services inside a Kubernetes cluster; `cluster.local` ends in `local`.
    'svc',
  ].concat(['test', 'invalid', 'alt']),
);

/** `host` as the URL standard writes it: lower case, IPv4 in four decimals, IPv6 in brackets. */
export function isPrivateHost(host: string): boolean {
  if (host.startsWith('[')) return !isPublicIpv6(host.slice(1, -1));
  const octets = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(host);
  if (octets !== null) return !isPublicIpv4(octets.slice(1).map(Number));
  const labels = host.replace(/\.$/, '').split('.');
  const last = labels.at(-1) ?? '';
  return (
    labels.length < 2 ||
    labels.includes('') ||
    PRIVATE_ENDINGS.has(last) ||
    !/^(?:[a-z]{2,}|xn--[a-z0-9-]+)$/.test(last)
  );
}

/** Special-purpose blocks of RFC 6890 and its successors, and the address of Azure's host in each of its machines. */
function isPublicIpv4(octets: readonly number[]): boolean {
  const [a = 0, b = 0, c = 0, d = 0] = octets;
  if (a === 0 || a === 10 || a === 127 || a >= 224) return false;
  if (a === 100 && b >= 64 && b <= 127) return false;
  if (a === 169 && b === 254) return false;
  if (a === 168 && b === 63 && c === 129 && d === 16) return false;
  if (a === 172 && b >= 16 && b <= 31) return false;
  if (a === 192 && (b === 168 || (b === 0 && (c === 0 || c === 2)) || (b === 88 && c === 99))) return false;
  if (a === 198 && (b === 18 || b === 19 || (b === 51 && c === 100))) return false;
  return !(a === 203 && b === 0 && c === 113);
}

/**
 * Only global unicast, 2000::/3, and of that neither documentation (2001:db8::/32) nor tunnels that wrap an IPv4
 * address.
 */
function isPublicIpv6(address: string): boolean {
  const first = Number.parseInt(address.split(':', 1)[0] || '0', 16);
  if (first < 0x2000 || first > 0x3fff) return false;
  return !/^(?:2001:(?:db8|0|):|2001::|2002:)/.test(address);
}
