import { Paperclip } from 'lucide-react';
import { useRef } from 'react';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../base/button.tsx';
import { useFieldProps } from './field-context.ts';

/** A PDF or picture that goes within a call. Put it in a `Field`. */
export function AttachmentInput({ file, onChoose }: { file: File | null; onChoose: (file: File | null) => void }) {
  const t = useText();
  const field = useFieldProps();
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className="row">
      <input
        {...field}
        ref={input}
        type="file"
        accept=".pdf,.png,.jpg,.jpeg"
        className="visually-hidden"
        onChange={(event) => onChoose(event.target.files?.[0] ?? null)}
      />
      <Button icon={Paperclip} onClick={() => input.current?.click()}>
        {t(file === null ? 'groups.file.choose' : 'groups.file.replace')}
      </Button>
      {file && <bdi className="grow clip small">{file.name}</bdi>}
    </div>
  );
}
