import { findLinks } from './links.ts';

/** Hosts that a text links to, each once, as carriers know them: lower case, internationalised names as xn--. */
export function listLinkHosts(content: string): string[] {
  return [...new Set(findLinks(content).map(({ host }) => toPlainHost(host)))];
}

function toPlainHost(host: string): string {
  const bare = host.toLowerCase().replace(/\.+$/, '');
  return URL.canParse(`http://${bare}`) ? new URL(`http://${bare}`).hostname : bare;
}

/** Whether a host is one of the domains or a subdomain of one. */
export const isInDomains = (host: string, domains: readonly string[]): boolean =>
  domains.some((domain) => host === domain || host.endsWith(`.${domain}`));
