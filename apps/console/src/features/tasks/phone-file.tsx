import { CloudUpload, FileSpreadsheet } from 'lucide-react';
import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { ApiError } from '../../lib/api/api-error.ts';
import { exportCsv } from '../../lib/api/export-csv.ts';
import type { PhoneFile } from '../../lib/files/use-phone-file.ts';
import { progressOfFile, useReadingText } from '../../lib/files/use-reading-text.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { classNames } from '../../ui/base/class-names.ts';
import { Icon } from '../../ui/base/icon.tsx';
import { Bar } from '../../ui/data/pictures.tsx';
import { FailureText, RequestId } from '../../ui/feedback/request-id.tsx';
import { toastError } from '../../ui/feedback/toast-store.ts';
import { useFieldProps } from '../../ui/form/field-context.ts';
import { Note } from '../../ui/page/page.tsx';
import { useReportLanguage } from './rejected-rows.tsx';
import { SheetChoice } from './sheet-choice.tsx';

const accepted = '.csv,.xls,.xlsx';

/** The file of phones: selection or drop, upload, check, refusal. Put it in a `Field`. */
export function PhoneFileInput({
  phones,
  recipients,
  optedOut,
}: {
  phones: PhoneFile;
  recipients: number;
  optedOut: number;
}) {
  const t = useText();
  const field = useFieldProps();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const { sending, stored } = phones;

  const take = (list: FileList | null | undefined) => {
    const file = list?.[0];
    if (file) phones.choose(file);
    // The same file may be chosen again after it was corrected.
    if (input.current) input.current.value = '';
  };
  const drop = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      take(event.dataTransfer.files);
    },
  };
  const replace = <Button onClick={() => input.current?.click()}>{t('tasks.upload.replace')}</Button>;

  return (
    <div className={classNames('tasks-file', over && 'is-over')} {...drop}>
      <input
        {...field}
        ref={input}
        type="file"
        accept={accepted}
        className="visually-hidden"
        onChange={(event) => take(event.target.files)}
      />
      {sending ? (
        <SendingFile phones={phones} replace={replace} />
      ) : stored ? (
        <StoredFileCard phones={phones} recipients={recipients} optedOut={optedOut} replace={replace} />
      ) : phones.storedError ? (
        <Problem error={phones.storedError}>{replace}</Problem>
      ) : (
        <div className="tasks-drop">
          <Icon of={CloudUpload} size="large" />
          <p>{t('tasks.upload.drop')}</p>
          <Button onClick={() => input.current?.click()}>{t('tasks.upload.choose')}</Button>
          <p className="tiny ink-3">{t('tasks.upload.limits')}</p>
        </div>
      )}
    </div>
  );
}

function Head({ name, fact, children }: { name: string; fact: ReactNode; children: ReactNode }) {
  return (
    <div className="tasks-file-head">
      <span className="tasks-file-icon">
        <Icon of={FileSpreadsheet} />
      </span>
      <span className="grow">
        <bdi className="tasks-file-name">{name}</bdi>
        <span className="tiny ink-3">{fact}</span>
      </span>
      {children}
    </div>
  );
}

function Problem({ error, children }: { error: unknown; children: ReactNode }) {
  return (
    <Note tone="danger" action={<span className="row">{children}</span>}>
      <FileFailure error={error} />
    </Note>
  );
}

/** A server failure is shown as a failure of the file, with the id for support; other errors have their own text. */
function FileFailure({ error }: { error: unknown }) {
  const t = useText();
  if (!(error instanceof ApiError) || error.idForSupport === null) return <FailureText error={error} />;
  return (
    <>
      {t('error.FILE_UNREADABLE')}
      <RequestId id={error.idForSupport} />
    </>
  );
}

function SendingFile({ phones, replace }: { phones: PhoneFile; replace: ReactNode }) {
  const t = useText();
  const formats = useFormats();
  const { sending, stored } = phones;
  if (!sending) return null;
  const { file, share, error } = sending;
  const size = formats.bytes(file.size);
  if (error) {
    return (
      <>
        <Head name={file.name} fact={size}>
          {stored && <Button onClick={phones.abort}>{t('tasks.upload.keepOld')}</Button>}
        </Head>
        <Problem error={error}>
          {error.code !== 'FILE_EXTENSION' && <Button onClick={phones.retry}>{t('ui.retry')}</Button>}
          {replace}
        </Problem>
      </>
    );
  }
  return (
    <>
      <Head name={file.name} fact={t('tasks.upload.sending', { size, share: formats.percent(share, 0) })}>
        <Button onClick={phones.abort}>{t('tasks.upload.abort')}</Button>
      </Head>
      <Progress label={t('tasks.upload.progress', { name: file.name })} percent={share * 100} />
    </>
  );
}

function Progress({ label, percent }: { label: string; percent: number }) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(percent)}
    >
      <Bar parts={[{ kind: 'done', share: percent / 100 }]} />
    </div>
  );
}

function StoredFileCard(props: { phones: PhoneFile; recipients: number; optedOut: number; replace: ReactNode }) {
  const { phones, recipients, optedOut, replace } = props;
  const t = useText();
  const formats = useFormats();
  const readingText = useReadingText();
  const { stored } = phones;
  if (!stored) return null;
  const size = formats.bytes(stored.size);
  const rows = t('ui.rows', { count: stored.totalRows });
  if (stored.fileStatus === 'processing') {
    return (
      <>
        <Head name={stored.fileName} fact={`${size} · ${readingText(progressOfFile(stored))}`}>
          {replace}
        </Head>
        <Progress label={t('tasks.upload.reading.label', { name: stored.fileName })} percent={stored.progress} />
      </>
    );
  }
  if (stored.fileStatus === 'fail') {
    const { code, params } = stored.error ?? { code: 'FILE_UNREADABLE', params: undefined };
    return (
      <>
        <Head name={stored.fileName} fact={`${size} · ${t('tasks.upload.failed')}`}>
          {null}
        </Head>
        <Note tone="danger" action={replace}>
          {t.maybe(`error.${code}`, params) ?? t('error.FILE_UNREADABLE')}
        </Note>
        <SheetChoice phones={phones} file={stored} />
      </>
    );
  }
  return (
    <>
      <Head name={stored.fileName} fact={`${size} · ${rows}`}>
        {replace}
      </Head>
      <Counts phones={phones} recipients={recipients} optedOut={optedOut} />
    </>
  );
}

function Counts({ phones, recipients, optedOut }: { phones: PhoneFile; recipients: number; optedOut: number }) {
  const t = useText();
  const lang = useReportLanguage();
  const formats = useFormats();
  const { stored } = phones;
  if (!stored) return null;
  const { fileId, totalRows, rejectedCount, duplicateCount } = stored;
  const share = (count: number) => (totalRows > 0 ? count / totalRows : 0);
  const figures = [
    { key: 'sent', count: recipients, label: t('tasks.upload.sent') },
    { key: 'rejected', count: rejectedCount, label: t('tasks.upload.rejected'), bad: rejectedCount > 0 },
    { key: 'duplicate', count: duplicateCount, label: t('tasks.upload.duplicate') },
    { key: 'optedOut', count: optedOut, label: t('tasks.upload.optedOut') },
  ];
  const download = () =>
    exportCsv('GET /files/:fileId/rejects', { params: { fileId }, query: { lang } }, 'rejected-rows.csv').catch(
      toastError,
    );
  return (
    <>
      <Bar
        parts={[
          { kind: 'done', share: share(recipients) },
          { kind: 'bad', share: share(rejectedCount) },
          { kind: 'grey', share: share(duplicateCount + optedOut) },
        ]}
      />
      <div className="tasks-file-counts">
        <dl>
          {figures.map(({ key, count, label, bad }) => (
            <div key={key}>
              <dd className={bad ? 'is-danger' : undefined}>
                <bdi dir="ltr">{formats.number(count)}</bdi>
              </dd>
              <dt>{label}</dt>
            </div>
          ))}
        </dl>
        {rejectedCount > 0 && (
          <Button variant="link" size="small" onClick={() => void download()}>
            {t('tasks.rejected.download')}
          </Button>
        )}
      </div>
    </>
  );
}
