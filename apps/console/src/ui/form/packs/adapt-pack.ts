import type { Locale } from 'antd/es/locale';

/** Visible texts of Ant Design's fields: menus, calendars and clocks, empty lists. */
export interface FieldLabels {
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
export function adaptPack(pack: Locale, locale: string, labels: FieldLabels): Locale {
  const { before, after } = labels;
  const calendar = {
    ...pack.DatePicker,
    lang: {
      ...pack.DatePicker?.lang,
      locale,
      placeholder: labels.date,
      rangePlaceholder: labels.dates,
      today: labels.today,
      now: labels.now,
      backToToday: labels.backToToday,
      ok: labels.ok,
      clear: labels.clear,
      week: labels.week,
      month: labels.month,
      year: labels.year,
      dateSelect: labels.date,
      timeSelect: labels.time,
      weekSelect: labels.chooseWeek,
      monthSelect: labels.chooseMonth,
      yearSelect: labels.chooseYear,
      decadeSelect: labels.chooseDecade,
      previousMonth: before.month,
      nextMonth: after.month,
      previousYear: before.year,
      nextYear: after.year,
      previousDecade: before.decade,
      nextDecade: after.decade,
      previousCentury: before.century,
      nextCentury: after.century,
    },
    timePickerLocale: { placeholder: labels.time, rangePlaceholder: labels.times },
  } as NonNullable<Locale['DatePicker']>;
  return {
    ...pack,
    locale,
    DatePicker: calendar,
    Calendar: calendar,
    TimePicker: calendar.timePickerLocale,
    global: { ...pack.global, placeholder: labels.choose, close: labels.close, show: labels.show, hide: labels.hide },
    Empty: { description: labels.empty },
    Modal: { okText: labels.ok, cancelText: labels.cancel, justOkText: labels.ok },
    Popconfirm: { okText: labels.ok, cancelText: labels.cancel },
  };
}
