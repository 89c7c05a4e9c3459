import { listText } from '../i18n/text-direction.ts';

/** `date` 20 Nov 2026, `time` 14:32:07, `minute` 14:32, `dateTime` both, `short` 20 Nov, 14:32, `stamp` with milliseconds, `moment` the same without the year, `day` Friday, 20 November, `monthDay` 20 Nov. */
export type DateStyle = 'date' | 'monthDay' | 'time' | 'minute' | 'dateTime' | 'short' | 'stamp' | 'moment' | 'day';

const clock = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;
const calendar = { year: 'numeric', month: 'short', day: 'numeric' } as const;
const styles: Record<DateStyle, Intl.DateTimeFormatOptions> = {
  date: calendar,
  time: clock,
  minute: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  dateTime: { ...calendar, ...clock },
  short: { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  stamp: { ...calendar, ...clock, fractionalSecondDigits: 3 },
  moment: { month: 'short', day: 'numeric', ...clock, fractionalSecondDigits: 3 },
  day: { weekday: 'long', month: 'long', day: 'numeric' },
  monthDay: { month: 'short', day: 'numeric' },
};
const pesoUnits = 10_000;

export interface Formats {
  /** Joins values with the comma of the language. */
  list(values: readonly string[]): string;
  /** A name and its value, with the colon of the language. */
  pair(name: string, value: string): string;
  date(value: string | number | Date, style?: DateStyle): string;
  /** A whole hour of any day, 0 to 23: 21:00. */
  clockHour(hour: number): string;
  /** "3 minutes ago", "in 18 hours". */
  relative(value: string | number | Date, now?: number): string;
  number(value: number, options?: Intl.NumberFormatOptions): string;
  /** A share of 0 to 1 as "96.8%". */
  percent(share: number, digits?: number): string;
  /** ₱ from an integer of 1/10,000 peso; two decimals, four if needed. */
  money(value: number): string;
  /** A length of time in ms, to the minute: 17 days 9 hr 30 min. */
  duration(ms: number): string;
  /** 4.8 MB. */
  bytes(value: number): string;
  /** UTC+8 at that moment. */
  zoneOffset(value?: Date): string;
  /** The zone's town: Manila. */
  zoneName: string;
  zone: string;
}

/** Gregorian years and Latin digits for every reader: otherwise fa-IR counts in Jalali and th-TH in Buddhist years. */
export function intlTag(locale: string): string {
  return `${locale.startsWith('ku') ? 'en-GB' : locale}-u-ca-gregory-nu-latn`;
}

/** Chinese sets numbers apart from its characters; a line never breaks there. */
export const spaceHan = (text: string): string =>
  text
    .replace(/(?<=\d)(?=\p{Script=Han})|(?<=\p{Script=Han})(?=\d)/gu, '\u00a0')
    .replace(/(?<=日)(?=星期|[周週])/, ' ');

/** Sorani Kurdish has no names of months in Intl: browsers would write M11. Numbers are understood. */
function dateParts(locale: string, style: DateStyle): Intl.DateTimeFormatOptions {
  const { weekday, ...parts } = styles[style];
  if (!locale.startsWith('ku')) return styles[style];
  return parts.month === undefined ? parts : { ...parts, month: '2-digit', day: '2-digit' };
}

export function makeFormats(locale: string, zone: string, zoneName?: string | null): Formats {
  const tag = intlTag(locale);
  const dates = new Map<DateStyle, Intl.DateTimeFormat>();
  const dateFormat = (style: DateStyle) => {
    const known = dates.get(style);
    if (known) return known;
    const made = new Intl.DateTimeFormat(tag, { ...dateParts(locale, style), timeZone: zone });
    dates.set(style, made);
    return made;
  };
  const relative = makeRelative(locale, tag);
  const plain = new Intl.NumberFormat(tag);
  const apart = locale.startsWith('zh') ? spaceHan : (text: string) => text;
  const number = (value: number, options?: Intl.NumberFormatOptions) => {
    const text = (options ? new Intl.NumberFormat(tag, options) : plain).format(value);
    return options?.style === 'unit' ? apart(text) : text;
  };
  const colon = /^(zh|ja)/.test(locale) ? '：' : locale.startsWith('fr') ? '\u00a0: ' : ': ';
  return {
    list: (values) => listText(values, locale),
    pair: (name, value) => `${name}${colon}${listText([value], locale)}`,
    date: (value, style = 'dateTime') => apart(dateFormat(style).format(new Date(value))),
    clockHour(hour) {
      const format = new Intl.DateTimeFormat(tag, { ...styles.minute, timeZone: 'UTC' });
      const parts = format.formatToParts(hour * 3_600_000);
      // Omits the word for hours that some languages append.
      const end = parts.findIndex(({ type }) => type === 'minute') + 1;
      return parts
        .slice(
          parts.findIndex(({ type }) => type === 'hour'),
          end,
        )
        .map(({ value }) => value)
        .join('');
    },
    relative(value, now = Date.now()) {
      const seconds = Math.round((new Date(value).getTime() - now) / 1000);
      for (const [unit, size] of relativeUnits) {
        if (Math.abs(seconds) >= size || unit === 'second') return apart(relative(Math.trunc(seconds / size), unit));
      }
      return '';
    },
    number,
    percent: (share, digits = 1) =>
      number(share, { style: 'percent', minimumFractionDigits: digits, maximumFractionDigits: digits }),
    money(value) {
      const digits = value % (pesoUnits / 100) === 0 ? 2 : 4;
      const amount = number(Math.abs(value) / pesoUnits, {
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      });
      return `${value < 0 ? '\u2212' : ''}₱${amount}`;
    },
    duration(ms) {
      const minutes = Math.round(ms / 60_000);
      const parts = [
        ['day', Math.floor(minutes / 1_440)],
        ['hour', Math.floor(minutes / 60) % 24],
        ['minute', minutes % 60],
      ] as const;
      return parts
        .filter(([unit, count]) => count > 0 || (unit === 'minute' && minutes === 0))
        .map(([unit, count]) =>
          locale.startsWith('ku')
            ? `${count} ${kurdishUnits[unit]}`
            : number(count, { style: 'unit', unit, unitDisplay: unit === 'day' ? 'long' : 'short' }),
        )
        .join(' ');
    },
    bytes(value) {
      const unit = value < 1e3 ? 0 : value < 1e6 ? 1 : 2;
      const name = (['byte', 'kilobyte', 'megabyte'] as const)[unit] ?? 'byte';
      return number(value / 1e3 ** unit, {
        style: 'unit',
        unit: name,
        // The short unit for bytes has no plural.
        unitDisplay: unit === 0 ? 'long' : 'short',
        maximumFractionDigits: unit === 2 ? 1 : 0,
      });
    },
    zoneOffset(value = new Date()) {
      const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'shortOffset' }).formatToParts(value);
      const offset = parts.find((part) => part.type === 'timeZoneName')?.value ?? 'GMT';
      return offset.replace('GMT', 'UTC');
    },
    zoneName: zoneName ?? (zone.split('/').at(-1) ?? zone).replaceAll('_', ' '),
    zone,
  };
}

/** Relative times are missing too. */
const kurdishUnits = { year: 'ساڵ', month: 'مانگ', day: 'ڕۆژ', hour: 'کاتژمێر', minute: 'خولەک', second: 'چرکە' };

function makeRelative(locale: string, tag: string): (count: number, unit: keyof typeof kurdishUnits) => string {
  if (locale.startsWith('ku'))
    return (count, unit) =>
      count === 0 ? 'ئێستا' : `${count < 0 ? 'پێش' : 'دوای'} ${Math.abs(count)} ${kurdishUnits[unit]}`;
  const format = new Intl.RelativeTimeFormat(tag, { numeric: 'auto' });
  return (count, unit) => format.format(count, unit);
}

const relativeUnits = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;
