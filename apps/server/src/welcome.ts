/** What a start says once it is ready, and the addresses it names. */
import type { Config, RoleName } from './config.ts';
import { setupAddress, setupLinkLifeHours } from './setup-link.ts';

/** Where this machine reaches what listens on `PAHATID_HOST`. */
export function localAddress({ host, port }: Config): string {
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`;
  if (host === '::') return `http://[::1]:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Where people reach the console; a machine that listens everywhere is named by its own loopback. */
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
    yield 'Another person: npm run pahatid -- user add --help';
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
