/** The output of a start once it is ready, and the addresses it shows. */
import type { Config, RoleName } from '../process/config.ts';
import { setupAddress, setupLinkLifeHours } from '../secrets/setup-link.ts';

/** Returns the address at which this machine reaches a listener on `PAHATID_HOST`. */
export function localAddress({ host, port }: Config): string {
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`;
  if (host === '::') return `http://[::1]:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Returns the console's address for people; a machine that listens on all interfaces is shown by its loopback. */
function shownAddress(config: Config): string {
  const { hostname } = new URL(config.publicUrl);
  return hostname === '0.0.0.0' || hostname === '[::]' ? localAddress(config) : config.publicUrl;
}

export function* welcome(config: Config, roles: readonly RoleName[], setupToken: string | null): Generator<string> {
  yield '';
  if (config.simulatorPort !== null) yield `Carrier simulator (SMPP): 127.0.0.1:${config.simulatorPort}`;
  if (roles.includes('smpp')) yield `SMPP for customers: ${config.host}:${config.smppPort}`;
  if (config.demo) {
    yield 'Demo logins, password Demo@1234: demo, demo-member, demo-viewer, other, reviewer, operator, admin';
  } else if (config.databaseUrl === null || roles.includes('api')) {
    yield 'Another person: pahatid user add (in a checkout: npm run pahatid -- user add)';
  }
  if (setupToken !== null) {
    yield `There is no admin yet. This link makes the first one, once, within ${setupLinkLifeHours} hours:`;
    yield `  ${setupAddress(shownAddress(config), setupToken)}`;
  }
  yield `Data: ${config.dataDir}`;
  yield roles.includes('api')
    ? `Pahatid is ready: ${localAddress(config)}`
    : `Pahatid is ready: ${roles.join(', ')} (no api here)`;
}
