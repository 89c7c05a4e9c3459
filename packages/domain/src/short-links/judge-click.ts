/**
 * Who opened a short link: a person, or a program that looks at links before people do. Programs are known by how they
 * ask (HEAD, prefetch), by the name they give, and by coming before the phone can have had the message.
 */
import { describeUserAgent } from '../accounts/describe-user-agent.ts';

/** `human`, or why it is taken for a program. */
export const clickVerdicts = ['human', 'head', 'scanner', 'early'] as const;
export type ClickVerdict = (typeof clickVerdicts)[number];

export interface ClickRequest {
  method: string;
  userAgent: string | null;
  /** Of `Sec-Purpose`, `Purpose` and `X-Moz`: browsers that load ahead say so. */
  purpose: string | null;
}

/** Link previews of messengers, search engines, safety checks of mail and carriers, and tools. */
const SCANNERS =
  /bot\b|bots\b|crawl|spider|slurp|preview|scanner|scan\/|monitor|fetch|facebookexternalhit|facebookcatalog|whatsapp\/|telegram|skypeuripreview|viber\/|linespider|embedly|pinterest\/|vkshare|google-?(?:safe|inspection|read-aloud|image|web-snippet|other)|apis-google|mediapartners|bingpreview|yandex(?:images|metrika)|safebrowsing|safelinks|urldefense|proofpoint|mimecast|barracuda|symantec|trend ?micro|checkpoint|cloudmark|phishtank|virustotal|zscaler|netcraft|censys|shodan|masscan|zgrab|nmap|headless|phantomjs|puppeteer|playwright|selenium|lighthouse|curl\/|wget\/|httpie|python|java\/|okhttp|go-http-client|node-fetch|axios|undici|libwww|perl|ruby|php\/|apache-httpclient|dalvik\/|cfnetwork\/(?!.*\bmozilla)/i;
/** Browsers inside these apps name the app as well, and are people. */
const IN_APP =
  /\b(?:FBAN|FBAV|FB_IAB|Instagram|Line\/|MicroMessenger|Viber\/|Messenger|Snapchat|TikTok|BytedanceWebview)/i;

/** What tells a program at the door; null where nothing does. */
export function findRobotSign({
  method,
  userAgent,
  purpose,
}: ClickRequest): Exclude<ClickVerdict, 'human' | 'early'> | null {
  if (method === 'HEAD') return 'head';
  if (purpose !== null && /prefetch|preview|prerender/i.test(purpose)) return 'scanner';
  const name = (userAgent ?? '').slice(0, 400);
  if (name.trim() === '') return 'scanner';
  const isBrowserInApp = name.startsWith('Mozilla/') && IN_APP.test(name) && !/bot\b|preview|externalhit/i.test(name);
  return !isBrowserInApp && SCANNERS.test(name) ? 'scanner' : null;
}

/** How long a click waits for the receipt that may be on its way, before it counts as sooner than any. */
export const RECEIPT_GRACE_MS = 600_000;

/**
 * The last word on a click. `receiptAtMs`: of the message it came from, or the first of the link where all share one
 * code; null while there is none; undefined where no receipt is to be expected. Null: not yet to be told.
 */
export function judgeClick(click: {
  sign: ClickVerdict | null;
  atMs: number;
  receiptAtMs: number | null | undefined;
  nowMs: number;
}): ClickVerdict | null {
  if (click.sign !== null) return click.sign;
  if (click.receiptAtMs === undefined) return 'human';
  if (click.receiptAtMs !== null) return click.atMs < click.receiptAtMs ? 'early' : 'human';
  return click.nowMs - click.atMs >= RECEIPT_GRACE_MS ? 'early' : null;
}

export interface ClickDevice {
  /** Families of systems and browsers; 'other' where neither is known. */
  os: string;
  browser: string;
  device: 'phone' | 'tablet' | 'computer' | 'other';
}

const FAMILY: Readonly<Record<string, string>> = { iPhone: 'iOS', iPad: 'iOS' };
const COMPUTERS = new Set(['Windows', 'macOS', 'Linux', 'ChromeOS']);

/** What is kept of a `User-Agent`: families alone, by which nobody is known again. */
export function describeClick(userAgent: string | null): ClickDevice {
  const { browser, system, isPhone } = describeUserAgent(userAgent);
  const isKnown = /^Mozilla\//.test(userAgent ?? '');
  return {
    os: system === null ? 'other' : (FAMILY[system] ?? system),
    browser: browser === null || !isKnown ? 'other' : browser,
    device: isPhone
      ? 'phone'
      : system === 'iPad' || system === 'Android'
        ? 'tablet'
        : system !== null && COMPUTERS.has(system)
          ? 'computer'
          : 'other',
  };
}
