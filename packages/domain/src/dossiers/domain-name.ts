/**
 * Returns the domain of what a person typed or pasted, as links are compared with it: lower case, an internationalised
 * name as xn--, without scheme, path and `www.`. Null: it is none that a phone can open.
 */
export function readDomainName(typed: string): string | null {
  const trimmed = typed.trim();
  const url = URL.parse(/^https?:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`);
  if (url === null || url.username !== '' || url.port !== '') return null;
  const domain = url.hostname.replace(/\.$/, '').replace(/^www\./, '');
  return domain.length <= 253 && domainPattern.test(domain) ? domain : null;
}

/** Labels of letters, digits and hyphens, at least two; the last one is no number, so an address is no domain. */
const domainPattern =
  /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?=[a-z0-9-]*[a-z])[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$/;
