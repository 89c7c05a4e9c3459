import { findLinks } from './links.ts';

/** Hosts that a text links to, each once, as carriers know them: lower case, internationalised names as xn--. */
export function listLinkHosts(content: string): string[] {
  return [...new Set(findLinks(content).map(({ host }) => toPlainHost(host)))];
}

function toPlainHost(host: string): string {
  let end = host.length;
  while (host[end - 1] === '.') end -= 1;
  const bare = host.slice(0, end).toLowerCase();
  return URL.canParse(`http://${bare}`) ? new URL(`http://${bare}`).hostname : bare;
}

/** Whether a host is one of the domains or a subdomain of one. */
export const isInDomains = (host: string, domains: readonly string[]): boolean =>
  domains.some((domain) => host === domain || host.endsWith(`.${domain}`));
