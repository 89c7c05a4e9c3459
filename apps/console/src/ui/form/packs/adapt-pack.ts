import type { Locale } from 'antd/es/locale';

/** Visible texts of Ant Design's fields: menus, calendars and clocks, empty lists. */
export interface FieldWords {
  choose: string;
  empty: string;
  ok: string;
  cancel: string;
  close: string;
  show: string;
  hide: string;
  clear: string;
  today: string;
  now: string;
  backToToday: string;
  week: string;
  month: string;
  year: string;
  date: string;
  dates: [start: string, end: string];
  time: string;
  times: [start: string, end: string];
  chooseWeek: string;
  chooseMonth: string;
  chooseYear: string;
  chooseDecade: string;
  before: Record<'month' | 'year' | 'decade' | 'century', string>;
  after: Record<'month' | 'year' | 'decade' | 'century', string>;
}

/** Returns a pack of Ant Design with its texts replaced, for a language or a script that Ant Design has no pack for. */
export function adaptPack(pack: Locale, locale: string, words: FieldWords): Locale {
  const { before, after } = words;
  const calendar = {
    ...pack.DatePicker,
    lang: {
      ...pack.DatePicker?.lang,
      locale,
      placeholder: words.date,
      rangePlaceholder: words.dates,
      today: words.today,
      now: words.now,
      backToToday: words.backToToday,
      ok: words.ok,
      clear: words.clear,
      week: words.week,
      month: words.month,
      year: words.year,
      dateSelect: words.date,
      timeSelect: words.time,
      weekSelect: words.chooseWeek,
      monthSelect: words.chooseMonth,
      yearSelect: words.chooseYear,
      decadeSelect: words.chooseDecade,
      previousMonth: before.month,
      nextMonth: after.month,
      previousYear: before.year,
      nextYear: after.year,
      previousDecade: before.decade,
      nextDecade: after.decade,
      previousCentury: before.century,
      nextCentury: after.century,
    },
    timePickerLocale: { placeholder: words.time, rangePlaceholder: words.times },
  } as NonNullable<Locale['DatePicker']>;
  return {
    ...pack,
    locale,
    DatePicker: calendar,
    Calendar: calendar,
    TimePicker: calendar.timePickerLocale,
    global: { ...pack.global, placeholder: words.choose, close: words.close, show: words.show, hide: words.hide },
    Empty: { description: words.empty },
    Modal: { okText: words.ok, cancelText: words.cancel, justOkText: words.ok },
    Popconfirm: { okText: words.ok, cancelText: words.cancel },
  };
}
