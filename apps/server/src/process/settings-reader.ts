/** Reads settings of an environment by kind, and collects what is wrong with them. */
import { isIP } from 'node:net';
import { splitHosts } from '@pahatid/db';
import { type Environment, SETTINGS } from './settings.ts';

export class SettingsReader {
  /** One line each, with the name of its setting. Secret values are not shown. */
  readonly problems: string[] = [];
  readonly #env: Environment;

  constructor(env: Environment) {
    this.#env = env;
  }

  refuse(name: string, wants: string): void {
    const isSecret = SETTINGS.find((each) => each.name === name)?.secret === true;
    this.problems.push(`${name}: ${isSecret ? '' : `“${this.#env[name] ?? ''}” `}${wants}`);
  }

  /** null: not set, or blank. */
  text(name: string): string | null {
    const value = this.#env[name]?.trim();
    return value === undefined || value === '' ? null : value;
  }

  matching(name: string, pattern: RegExp, wants: string): string | null {
    const value = this.text(name);
    if (value !== null && !pattern.test(value)) this.refuse(name, wants);
    return value;
  }

  /** Separated by commas. */
  list(name: string): string[] {
    return (this.text(name) ?? '')
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
  }

  port(name: string, fallback: number): number {
    const value = this.text(name);
    if (value === null) return fallback;
    if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value);
    this.refuse(name, 'is not a port (0 to 65535)');
    return fallback;
  }

  portOrOff(name: string, fallback: number | null): number | null {
    const value = this.text(name);
    if (value === null) return fallback;
    return value === 'off' ? null : this.port(name, 0);
  }

  onOrOff(name: string, fallback: boolean): boolean {
    const value = this.matching(name, /^(?:on|off)$/, 'is neither on nor off');
    return value === null ? fallback : value === 'on';
  }

  rate(name: string, fallback: number): number {
    const value = this.matching(name, /^[1-9]\d{0,6}$/, 'is not a number of calls a second (1 to 9999999)');
    return value === null ? fallback : Number(value);
  }

  /** From when on a count is too high. */
  bound(name: string, fallback: number): number {
    const value = this.matching(name, /^[1-9]\d{0,8}$/, 'is not a number from 1 to 999999999');
    return value === null ? fallback : Number(value);
  }

  url(name: string, protocols: readonly string[]): string | null {
    const value = this.text(name);
    if (value === null || isUrl(value, protocols)) return value;
    this.refuse(name, `is not an address that begins with ${protocols.map((each) => `${each}//`).join(' or ')}`);
    return null;
  }

  networks(name: string): string[] {
    const items = this.list(name).filter((item) => item !== 'none');
    for (const item of items) if (!isNetwork(item)) this.refuse(name, `has “${item}”, which is no address or network`);
    return items;
  }
}

export const isUrl = (value: string, protocols: readonly string[]): boolean =>
  splitHosts(value).every((each) => URL.canParse(each) && protocols.includes(new URL(each).protocol));

function isNetwork(item: string): boolean {
  const [address, bits, ...rest] = item.split('/') as [string, string?, ...string[]];
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}
