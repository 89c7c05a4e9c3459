/**
 * What opened a short link: a person, or a program that checks links before people do. Programs are recognized by how
 * they request (HEAD, prefetch), by the name they send, and by arriving before the handset can have received the
 * message.
 */
import { describeUserAgent } from '../accounts/describe-user-agent.ts';

/** `human`, or why it is taken for a program. */
const clickVerdicts = ['human', 'head', 'scanner', 'early'] as const;
export type ClickVerdict = (typeof clickVerdicts)[number];

export interface ClickRequest {
  method: string;
  userAgent: string | null;
  /** Of `Sec-Purpose`, `Purpose` and `X-Moz`: browsers that prefetch send it. */
  purpose: string | null;
}

/** Link previews of messengers, search engines, safety checks of mail and carriers, and tools. */
const SCANNERS =
  /bot\b|bots\b|crawl|spider|slurp|preview|scanner|scan\/|monitor|fetch|facebookexternalhit|facebookcatalog|whatsapp\/|telegram|skypeuripreview|viber\/|linespider|embedly|pinterest\/|vkshare|google-?(?:safe|inspection|read-aloud|image|web-snippet|other)|apis-google|mediapartners|bingpreview|yandex(?:images|metrika)|safebrowsing|safelinks|urldefense|proofpoint|mimecast|barracuda|symantec|trend ?micro|checkpoint|cloudmark|phishtank|virustotal|zscaler|netcraft|censys|shodan|masscan|zgrab|nmap|headless|phantomjs|puppeteer|playwright|selenium|lighthouse|curl\/|wget\/|httpie|python|java\/|okhttp|go-http-client|node-fetch|axios|undici|libwww|perl|ruby|php\/|apache-httpclient|dalvik\/|cfnetwork\/(?!.*\bmozilla)/i;
/** Browsers inside these apps name the app as well, and are people. */
const IN_APP =
  /\b(?:FBAN|FBAV|FB_IAB|Instagram|Line\/|MicroMessenger|Viber\/|Messenger|Snapchat|TikTok|BytedanceWebview)/i;

/** Returns what identifies a program on request; null if nothing does. */
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

/** How long a click waits for a pending receipt before it counts as earlier than any. */
export const RECEIPT_GRACE_MS = 600_000;

/**
 * The final verdict on a click. `receiptAtMs`: of the message it came from, or the first of the link if all share one
 * code; null while there is none; undefined if no receipt is expected. Null: not yet decidable.
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
  /** Families of systems and browsers; 'other' if unknown. */
  os: string;
  browser: string;
  device: 'phone' | 'tablet' | 'computer' | 'other';
}

const FAMILY: Readonly<Record<string, string>> = { iPhone: 'iOS', iPad: 'iOS' };
const COMPUTERS = new Set(['Windows', 'macOS', 'Linux', 'ChromeOS']);

/** What is stored of a `User-Agent`: only families, which identify no one. */
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
