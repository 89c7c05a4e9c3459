import type { File } from '@pahatid/contract';
import { ArrowRight } from 'lucide-react';
import { useState } from 'react';
import type { PhoneFile } from '../../lib/files/use-phone-file.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Icon } from '../../ui/base/icon.tsx';
import { toastError } from '../../ui/feedback/toast-store.ts';
import { Field } from '../../ui/form/field.tsx';
import { Checkbox } from '../../ui/form/inputs.tsx';
import { Select } from '../../ui/form/select.tsx';
import { SheetChoice } from './sheet-choice.tsx';

/** Use of a column: a variable's number, or one of these. */
const phoneUse = 'phone';
const noUse = 'none';

interface FileMappingProps {
  phones: PhoneFile;
  file: File;
  variableCount: number;
  mapping: readonly (number | null)[];
  onMapping: (mapping: readonly (number | null)[]) => void;
}

/** How the file is read, and which of its columns fills which variable. */
export function FileMapping({ phones, file, variableCount, mapping, onMapping }: FileMappingProps) {
  const t = useText();
  const [busy, setBusy] = useState(false);
  const { reading, columns } = file;
  if (!reading) return null;

  const read = async (patch: Partial<typeof reading>) => {
    setBusy(true);
    await phones.read({ ...reading, ...patch }).catch(toastError);
    setBusy(false);
  };
  const assignColumn = (column: number, use: string | null) => {
    if (use === phoneUse) return void read({ phoneColumn: column });
    const next = mapping.map((other) => (other === column ? null : other));
    if (use !== null && use !== noUse) next[Number(use) - 1] = column;
    onMapping(next);
  };
  const usageOf = (column: number): string => {
    if (column === reading.phoneColumn) return phoneUse;
    const index = mapping.indexOf(column);
    return index < 0 ? noUse : String(index + 1);
  };
  const variables = Array.from({ length: variableCount }, (_, index) => ({
    value: String(index + 1),
    label: `{${index + 1}}`,
  }));
  // A column's use moves to another by selecting it there: a variable always has a column.
  const options = (column: number) =>
    column === reading.phoneColumn
      ? [{ value: phoneUse, label: t('tasks.mapping.phone') }]
      : [
          ...(usageOf(column) === noUse ? [{ value: noUse, label: t('tasks.mapping.none') }] : []),
          { value: phoneUse, label: t('tasks.mapping.phone') },
          ...variables,
        ];

  return (
    <div className="stack tasks-mapping">
      <div className="row wrap">
        <Checkbox checked={reading.hasHeader} disabled={busy} onChange={(hasHeader) => void read({ hasHeader })}>
          {t('tasks.mapping.header')}
        </Checkbox>
        <span className="grow" />
        <SheetChoice phones={phones} file={file} disabled={busy} />
      </div>
      <div className="tasks-mapping-frame">
        <table className="plain-table">
          <caption className="visually-hidden">{t('tasks.mapping.caption')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('tasks.mapping.column')}</th>
              <th scope="col">{t('tasks.mapping.first')}</th>
              <th scope="col">
                <span className="visually-hidden">{t('tasks.mapping.becomes')}</span>
              </th>
              <th scope="col">{t('tasks.mapping.use')}</th>
            </tr>
          </thead>
          <tbody>
            {columns.map(({ index, name, first }) => (
              <tr key={index}>
                <td>
                  <span className="row mono">
                    <span className="ink-3">{columnLetters(index)}</span>
                    <bdi className="clip">{name}</bdi>
                  </span>
                </td>
                <td>
                  <bdi className="tasks-first clip">{first}</bdi>
                </td>
                <td className="ink-3">
                  <Icon of={ArrowRight} size="small" mirror />
                </td>
                <td className={usageOf(index) === noUse ? undefined : 'is-used'}>
                  <Field label={t('tasks.mapping.useOf', { name })} className="tasks-bare">
                    <Select
                      value={usageOf(index)}
                      disabled={busy}
                      options={options(index)}
                      onChange={(use) => assignColumn(index, use)}
                    />
                  </Field>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

/** 0 → A, 26 → AA, as the spreadsheet shows it. */
function columnLetters(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnLetters(Math.floor(index / 26) - 1) + letter;
}
