import type { Locale } from 'antd/es/locale';

/** Texts of Ant Design and dayjs in one language. */
export interface LocalePack {
  antd: Locale;
  dayjs: string;
}
