/** Browser identification. Enough for users to recognize their own devices; no decision depends on it. */
export interface DeviceNames {
  /** Name of the browser or program, null if unknown. */
  readonly browser: string | null;
  readonly system: string | null;
  readonly isPhone: boolean;
}

/** The first that fits: most browsers also claim to be those that come later. */
const browsers: readonly [name: string, sign: RegExp][] = [
  ['Edge', /\bEdg(?:A|iOS|e)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bVersion\/[\d.]+ .*\bSafari\//],
];
const systems: readonly [name: string, sign: RegExp][] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
];

const maxLength = 300;
const first = (list: readonly [string, RegExp][], text: string): string | null =>
  list.find(([, sign]) => sign.test(text))?.[0] ?? null;

/** Extracts browser and system from a `User-Agent` header; a program is named by the text before its first slash. */
export function describeUserAgent(header: string | null): DeviceNames {
  const text = (header ?? '').slice(0, maxLength);
  const program = /^(?!Mozilla\/)([A-Za-z][\w.-]{0,30})(?:\/|$)/.exec(text)?.[1] ?? null;
  const system = first(systems, text);
  const isPhone = system === 'iPhone' || (system === 'Android' && /\bMobile\b/.test(text));
  return { browser: first(browsers, text) ?? program, system, isPhone };
}
