/**
 * The fields that need Ant Design are loaded when a screen shows the first of them. Lists lead to forms, most of which
 * have a select, so that is also fetched once a list is idle; users in data saving mode wait instead.
 */
import { type ComponentType, lazy, type ReactElement } from 'react';
import { currentTexts } from '../../lib/i18n/text-store.ts';
import { loadChunk } from '../feedback/load-error.ts';
import type { DateTimeInputProps, SelectProps } from './heavy-field-props.ts';

const loadSelect = () => import('./antd-select.tsx');
const loadDateTimeInput = () => import('./antd-date-time-input.tsx');

type AnySelect = <V extends string | number>(props: SelectProps<V>) => ReactElement;
// `lazy` forgets that the component has a type parameter.
export const AntdSelect = lazy(() => loadChunk(loadSelect)) as unknown as AnySelect;
export const AntdDateTimeInput: ComponentType<DateTimeInputProps> = lazy(() => loadChunk(loadDateTimeInput));

let isFetched = false;

const whenIdle = (work: () => void) => {
  // Safari has no idle callback.
  if ('requestIdleCallback' in window) window.requestIdleCallback(work, { timeout: 5_000 });
  else setTimeout(work, 1_000);
};

/** Fetches the select in the background; a failure is shown, and can be retried, where a field is needed. */
export function fetchFieldsAtRest() {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (isFetched || connection?.saveData) return;
  isFetched = true;
  whenIdle(() => {
    loadSelect()
      .then(async () => {
        const { localePack } = await import('./antd-scope.tsx');
        await localePack(currentTexts().locale);
      })
      .catch(() => {
        isFetched = false;
      });
  });
}
