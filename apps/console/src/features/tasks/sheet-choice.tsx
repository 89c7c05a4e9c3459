import type { File } from '@pahatid/contract';
import { useState } from 'react';
import type { PhoneFile } from '../../lib/files/use-phone-file.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { toastError } from '../../ui/feedback/toast-store.ts';
import { Field } from '../../ui/form/field.tsx';
import { Select } from '../../ui/form/select.tsx';

/** Selects the sheet of a workbook that contains the phones; empty if there is only one. */
export function SheetChoice({ phones, file, disabled = false }: { phones: PhoneFile; file: File; disabled?: boolean }) {
  const t = useText();
  const [busy, setBusy] = useState(false);
  const { sheetNames, reading } = file;
  if (sheetNames.length < 2) return null;

  const choose = async (sheetName: string | null) => {
    if (sheetName === null || sheetName === reading?.sheetName) return;
    setBusy(true);
    await phones.readSheet(sheetName).catch(toastError);
    setBusy(false);
  };
  return (
    <Field label={t('tasks.mapping.sheet')} className="tasks-sheet">
      <Select
        value={reading?.sheetName ?? null}
        disabled={busy || disabled}
        options={sheetNames.map((name) => ({ value: name, label: name }))}
        onChange={(name) => void choose(name)}
      />
    </Field>
  );
}
