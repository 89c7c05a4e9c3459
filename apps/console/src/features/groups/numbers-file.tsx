import { CloudUpload, FileSpreadsheet } from 'lucide-react';
import { type DragEvent, type ReactNode, useRef } from 'react';
import { errorText } from '../../lib/api/error-text.ts';
import type { PhoneFile } from '../../lib/files/use-phone-file.ts';
import { progressOfFile, useReadingText } from '../../lib/files/use-reading-text.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { type Text, useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Icon } from '../../ui/base/icon.tsx';
import { Bar } from '../../ui/data/pictures.tsx';
import { FailureText } from '../../ui/feedback/request-id.tsx';
import { toast, toastError } from '../../ui/feedback/toast-store.ts';
import { Field } from '../../ui/form/field.tsx';
import { useFieldProps } from '../../ui/form/field-context.ts';
import { Checkbox } from '../../ui/form/inputs.tsx';
import { Select } from '../../ui/form/select.tsx';
import { Note } from '../../ui/page/page.tsx';

/** A file of numbers: selection or drop, upload, check, refusal. Put it in a `Field`. */
function NumbersFile({ phones }: { phones: PhoneFile }) {
  const t = useText();
  const field = useFieldProps();
  const input = useRef<HTMLInputElement>(null);
  const readingText = useReadingText();
  const { sending, stored, storedError } = phones;
  const take = (list: FileList | null | undefined) => {
    const file = list?.[0];
    if (file) phones.choose(file);
    // The same file may be chosen again after it was corrected.
    if (input.current) input.current.value = '';
  };
  const drop = {
    onDragOver: (event: DragEvent) => event.preventDefault(),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      take(event.dataTransfer.files);
    },
  };
  const choose = (
    <Button onClick={() => input.current?.click()}>
      {t(sending || stored ? 'groups.file.replace' : 'groups.file.choose')}
    </Button>
  );
  const failure = stored?.fileStatus === 'fail' ? (stored.error?.code ?? 'FILE_UNREADABLE') : null;
  return (
    <div className="groups-file" {...drop}>
      <input
        {...field}
        ref={input}
        type="file"
        accept=".csv,.xls,.xlsx"
        className="visually-hidden"
        onChange={(event) => take(event.target.files)}
      />
      {sending ? (
        <>
          <Head name={sending.file.name}>{choose}</Head>
          {sending.error ? (
            <Note tone="danger" action={<Button onClick={phones.retry}>{t('ui.retry')}</Button>}>
              <FailureText error={sending.error} />
            </Note>
          ) : (
            <Progress label={t('groups.file.sending', { name: sending.file.name })} percent={sending.share * 100} />
          )}
        </>
      ) : stored ? (
        <>
          <Head name={stored.fileName}>{choose}</Head>
          {stored.fileStatus === 'processing' && (
            <Progress
              label={t('groups.file.reading', { name: stored.fileName })}
              fact={readingText(progressOfFile(stored))}
              percent={stored.progress}
            />
          )}
          {failure && (
            <Note tone="danger">{t.maybe(`error.${failure}`, stored.error?.params) ?? t('error.FILE_UNREADABLE')}</Note>
          )}
          {stored.fileStatus === 'success' && <Counts phones={phones} />}
        </>
      ) : (
        <div className="groups-drop">
          <Icon of={CloudUpload} size="large" />
          <p>{storedError ? errorText(storedError, t) : t('groups.file.drop')}</p>
          {choose}
          <p className="tiny ink-3">{t('groups.file.limits')}</p>
        </div>
      )}
    </div>
  );
}

const Head = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="row wrap">
    <Icon of={FileSpreadsheet} />
    <bdi className="grow clip strong">{name}</bdi>
    {children}
  </div>
);

function Progress({ label, fact, percent }: { label: string; fact?: string; percent: number }) {
  return (
    <div
      className="stack"
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(percent)}
    >
      <Bar parts={[{ kind: 'done', share: percent / 100 }]} />
      <p className="tiny ink-3">{fact ?? label}</p>
    </div>
  );
}

function Counts({ phones }: { phones: PhoneFile }) {
  const t = useText();
  const formats = useFormats();
  const { stored } = phones;
  if (!stored) return null;
  const figures = [
    { key: 'valid', count: stored.validCount },
    { key: 'rejected', count: stored.rejectedCount },
    { key: 'duplicate', count: stored.duplicateCount },
    { key: 'optedOut', count: stored.optedOutCount },
  ] as const;
  return (
    <dl className="groups-counts">
      {figures.map(({ key, count }) => (
        <div key={key}>
          <dd className={key === 'rejected' && count > 0 ? 'is-danger' : undefined}>
            <bdi dir="ltr">{formats.number(count)}</bdi>
          </dd>
          <dt>{t(`groups.file.${key}`)}</dt>
        </div>
      ))}
    </dl>
  );
}

/** Errors of a call that takes a file, at its field. */
export const fileCodeFields = {
  FILE_NOT_USABLE: 'fileId',
  FILE_PROCESSING: 'fileId',
  FILE_NOT_FOUND: 'fileId',
} as const;

/** Returns why the file cannot be submitted yet. */
export function checkFile(t: Text, fileId: string | null, { stored }: PhoneFile): { fileId?: string } {
  // A file that is being checked is not an error: submitting the form then asks the user to wait.
  if (fileId !== null && (stored?.fileStatus === 'success' || stored?.fileStatus === 'processing')) return {};
  return { fileId: t('groups.file.required') };
}

/** Whether the file is still being checked; then the user is asked to wait. */
export function isFileAwaited(t: Text, { stored }: PhoneFile): boolean {
  if (stored?.fileStatus !== 'processing') return false;
  toast(t('error.FILE_PROCESSING'), 'info');
  return true;
}

/** The file and how it is read. `field`: of the form, for `fileId`. */
export function NumbersFileFields({ phones, field }: { phones: PhoneFile; field: { error: string | undefined } }) {
  const t = useText();
  return (
    <>
      <Field label={t('groups.file')} required {...field}>
        <NumbersFile phones={phones} />
      </Field>
      <FileReading phones={phones} />
    </>
  );
}

/** How the file is read: its sheet, its heading, its column of numbers. */
function FileReading({ phones }: { phones: PhoneFile }) {
  const t = useText();
  const { stored } = phones;
  if (stored?.fileStatus !== 'success' || !stored.reading) return null;
  const { reading, columns, sheetNames } = stored;
  const read = (patch: Partial<typeof reading>) => void phones.read({ ...reading, ...patch }).catch(toastError);
  return (
    <div className="stack">
      <div className="form-grid">
        <Field label={t('groups.file.phoneColumn')}>
          <Select
            value={String(reading.phoneColumn)}
            options={columns.map(({ index, name, first }) => ({ value: String(index), label: name, aside: first }))}
            onChange={(column) => column !== null && read({ phoneColumn: Number(column) })}
          />
        </Field>
        {sheetNames.length > 1 && (
          <Field label={t('groups.file.sheet')}>
            <Select
              value={reading.sheetName ?? null}
              options={sheetNames.map((name) => ({ value: name, label: name }))}
              onChange={(name) => name !== null && void phones.readSheet(name).catch(toastError)}
            />
          </Field>
        )}
      </div>
      <Checkbox checked={reading.hasHeader} onChange={(hasHeader) => read({ hasHeader })}>
        {t('groups.file.header')}
      </Checkbox>
    </div>
  );
}
