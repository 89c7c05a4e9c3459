/** Which short links wait for a reviewer before they lead anywhere. */
import type { LinkReviewPolicy } from '@pahatid/contract';

/** The host of an address as it is compared: lower case, without `www.` and without a dot at its end. */
export const linkHost = (url: string): string => {
  let host = new URL(url).hostname.toLowerCase();
  while (host.endsWith('.')) host = host.slice(0, -1);
  return host.replace(/^www\./, '');
};

/** `hosts`: that the link leads to, now or once it has ended. */
export const linkNeedsReview = (
  policy: LinkReviewPolicy,
  hosts: readonly string[],
  used: ReadonlySet<string>,
): boolean => policy === 'always' || (policy === 'firstUse' && hosts.some((host) => !used.has(host)));

/** Returns a domain entered by staff, with or without scheme and path; null if it is not one. */
export const readLinkDomain = (typed: string): string | null => {
  const text = typed.trim();
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(address)) return null;
  const host = linkHost(address);
  return host.length <= 253 && /^(?:[a-z0-9_-]+\.)+[a-z0-9-]+$/.test(host) ? host : null;
};
