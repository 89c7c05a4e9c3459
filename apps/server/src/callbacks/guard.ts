/**
 * Which addresses may be called. Public ones over https at the usual ports; in networks that `PAHATID_CALLBACK_ALLOW`
 * opens also over http and at any port, but never the addresses that Pahatid itself listens on.
 */
import { promises as dns, type LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { isPrivateHost } from '@pahatid/domain';
import type { Config } from '../process/config.ts';
import { isIn, isPublicAddress, toBlockList } from './special-networks.ts';

const urlLimit = 2_048;
const publicPorts: readonly number[] = [80, 443, 8080, 8443];

export interface Target {
  readonly url: URL;
  /** Without the brackets of IPv6. */
  readonly host: string;
  readonly port: number;
}

export class AddressRefused extends Error {
  override name = 'AddressRefused';
  readonly code = 'ADDRESS_REFUSED';
}

/** Resolves a name to addresses; tests pass their own. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

export interface Guard {
  /** Returns the target of a URL as far as the URL determines it; null: it may not be called. */
  readUrl(text: string): Target | null;
  /** Returns the addresses to connect to, all checked. Throws `AddressRefused` if one of them may not be called. */
  resolve(target: Target): Promise<readonly LookupAddress[]>;
}

export type GuardConfig = Pick<Config, 'callbackAllow'> & { readonly ownPorts: readonly number[] };

const resolveByDns: Resolve = (host) => dns.lookup(host, { all: true });

/** Ports that this program listens on. */
const ownPortsOf = (config: Pick<Config, 'port' | 'smppPort' | 'smppTls' | 'simulatorPort'>): number[] =>
  [config.port, config.smppPort, config.smppTls?.port ?? null, config.simulatorPort].filter((port) => port !== null);

export function makeGuard({ callbackAllow, ownPorts }: GuardConfig, lookUp: Resolve = resolveByDns): Guard {
  const opened = toBlockList(callbackAllow);
  const isOpen = callbackAllow.length > 0;
  const looks = new Map<string, ReturnType<Resolve>>();

  // One at a time for each name: a look-up holds one of the process's few threads, and can't be called off.
  const look: Resolve = (host) => {
    const underWay = looks.get(host);
    if (underWay !== undefined) return underWay;
    const begun = lookUp(host).finally(() => looks.delete(host));
    looks.set(host, begun);
    return begun;
  };

  const mayCall = (address: string, { url, port }: Target): boolean => {
    const isOurs = isOwnAddress(address);
    if (isOurs && ownPorts.includes(port)) return false;
    if (isIn(opened, address)) return true;
    return !isOurs && isPublicAddress(address) && url.protocol === 'https:' && publicPorts.includes(port);
  };

  return {
    readUrl(text) {
      const target = parse(text);
      if (target === null) return null;
      const { url, host, port } = target;
      if (isIP(host) !== 0) return mayCall(host, target) ? target : null;
      // If networks are opened, a name may resolve into one: this is checked on the call.
      if (isOpen) return target;
      return url.protocol === 'https:' && publicPorts.includes(port) && !isPrivateHost(host) ? target : null;
    },
    async resolve(target) {
      const { host } = target;
      const family = isIP(host);
      const found = family === 0 ? await look(host) : [{ address: host, family }];
      // One that is refused among several is no accident.
      const refused = found.find(({ address }) => !mayCall(address, target));
      if (refused !== undefined) throw new AddressRefused(`${host} leads to ${refused.address}`);
      return found;
    },
  };
}

/** The one of this program. */
export const makeCallbackGuard = (
  config: Pick<Config, 'callbackAllow' | 'port' | 'smppPort' | 'smppTls' | 'simulatorPort'>,
): Guard => makeGuard({ callbackAllow: config.callbackAllow, ownPorts: ownPortsOf(config) });

function parse(text: string): Target | null {
  if (text.length > urlLimit || /[\s\p{Cc}\\]/u.test(text) || !/^https?:\/\/[^/]/i.test(text)) return null;
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '' || url.hostname === '' || url.href.length > urlLimit) return null;
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  return { url, host: url.hostname.replace(/^\[|\]$/g, ''), port };
}

/** Includes all of loopback, which also reaches services that listen on every address. */
const loopback = toBlockList(['127.0.0.0/8', '0.0.0.0/8', '::1', '::']);
const isOwnAddress = (address: string): boolean =>
  isIn(loopback, address) ||
  Object.values(networkInterfaces()).some((each) => each?.some((one) => one.address === address));
