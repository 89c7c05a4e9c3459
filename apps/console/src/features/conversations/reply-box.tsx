import { type CallResult, type Conversation, replyWindowHours } from '@pahatid/contract';
import { SendHorizontal } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { errorText } from '../../lib/api/error-text.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { findingText } from '../../lib/i18n/finding-text.ts';
import { type Text, useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { TextArea, TextInput } from '../../ui/form/inputs.tsx';
import { SavedReplies } from './saved-replies.tsx';
import { type ReplyBody, useReplyPreview, useSendReply } from './use-reply.ts';

const hourMs = 3_600_000;
const tickMs = 20_000;
type Template = CallResult<'GET /templates'>['items'][number];

/** Writes back: a text of one's own while the window is open, or an approved template. */
export function ReplyBox({ conversation }: { conversation: Conversation }) {
  const t = useText();
  const { conversationId, appId } = conversation;
  const leftMs = useLeft(conversation.replyUntil);
  const templates = useCall('GET /templates', { query: { appId, sendable: '1', limit: '200' } });
  const [content, setContent] = useState('');
  const [templateId, setTemplateId] = useState('');
  const [variables, setVariables] = useState<readonly string[]>([]);
  const field = useRef<HTMLTextAreaElement>(null);
  const template = templates.data?.items.find((each) => each.templateId === templateId);
  const isOwn = leftMs > 0 && template === undefined;
  const body = toBody(isOwn, content.trim(), template, variables);
  const { preview, error } = useReplyPreview(conversationId, body);
  const { busy, send } = useSendReply(conversationId);
  const submit = async () => {
    if (body === null || !(await send(body))) return;
    setContent('');
    setTemplateId('');
    setVariables([]);
  };
  // In place of what is selected; after it the writer goes on.
  const insert = (saved: string) => {
    const { selectionStart: from = content.length, selectionEnd: to = content.length } = field.current ?? {};
    setContent(content.slice(0, from) + saved + content.slice(to));
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(from + saved.length, from + saved.length);
    });
  };
  const choose = (next: string) => {
    setTemplateId(next);
    setVariables([]);
  };
  return (
    <form
      className="conversation-reply"
      aria-label={t('conversations.send')}
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) void submit();
      }}
    >
      <Window leftMs={leftMs} />
      <div className="conversation-tools">
        <select
          className="input"
          aria-label={t('palette.kind.template')}
          value={template === undefined ? '' : templateId}
          onChange={(event) => choose(event.target.value)}
        >
          <option value="">{leftMs > 0 ? t('conversations.ownText') : t('ui.choose')}</option>
          {templates.data?.items.map((each) => (
            <option key={each.templateId} value={each.templateId}>
              {each.templateName}
            </option>
          ))}
        </select>
        {isOwn && <SavedReplies onInsert={insert} />}
      </div>
      {isOwn && (
        <TextArea
          ref={field}
          rows={2}
          dir="auto"
          aria-label={t('inbound.text')}
          value={content}
          onChange={setContent}
        />
      )}
      {template && <Filled template={template} variables={variables} onChange={setVariables} />}
      <Problem text={problemText(preview?.refusal ?? null, preview?.findings ?? [], error, t)} />
      <div className="row wrap conversation-send">
        <Figures preview={preview} />
        <Button
          variant="primary"
          type="submit"
          icon={SendHorizontal}
          mirrorIcon
          loading={busy}
          disabled={body === null}
        >
          {t('conversations.send')}
        </Button>
      </div>
    </form>
  );
}

/** Null: nothing can be sent yet. */
function toBody(
  isOwn: boolean,
  content: string,
  template: Template | undefined,
  variables: readonly string[],
): ReplyBody | null {
  if (template !== undefined) {
    const values = Array.from({ length: template.variableCount }, (_, index) => variables[index]?.trim() ?? '');
    if (values.includes('')) return null;
    return { templateId: template.templateId, ...(values.length > 0 && { variables: values }) };
  }
  return isOwn && content !== '' ? { content } : null;
}

function useLeft(until: string): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Date.parse(until) - now);
}

/** The window as panes, one an hour, and what is left of it. */
function Window({ leftMs }: { leftMs: number }) {
  const t = useText();
  const formats = useFormats();
  if (leftMs === 0) return <p className="small ink-2">{t('error.REPLY_WINDOW_CLOSED')}</p>;
  const left = Math.ceil(leftMs / hourMs);
  return (
    <p className="conversation-window small">
      <span className="conversation-panes" aria-hidden="true">
        {Array.from({ length: replyWindowHours }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: equal panes.
          <i key={index} className={index === 0 ? 'is-now' : index < left ? 'is-left' : undefined} />
        ))}
      </span>
      {t('review.clock.left', { time: formats.duration(leftMs) })}
    </p>
  );
}

interface FilledProps {
  template: Template;
  variables: readonly string[];
  onChange: (variables: readonly string[]) => void;
}

function Filled({ template, variables, onChange }: FilledProps) {
  return (
    <>
      <p className="small ink-2">
        <bdi>{template.content}</bdi>
      </p>
      {Array.from({ length: template.variableCount }, (_, index) => (
        <TextInput
          // biome-ignore lint/suspicious/noArrayIndexKey: variables are their numbers.
          key={index}
          aria-label={`{${index + 1}}`}
          placeholder={`{${index + 1}}`}
          value={variables[index] ?? ''}
          onChange={(value) =>
            onChange(
              Array.from({ length: template.variableCount }, (_, at) => (at === index ? value : (variables[at] ?? ''))),
            )
          }
        />
      ))}
    </>
  );
}

function Figures({ preview }: { preview: ReturnType<typeof useReplyPreview>['preview'] }) {
  const t = useText();
  const formats = useFormats();
  const parts = [
    preview?.pkgTotal != null && t('ui.segments', { count: preview.pkgTotal }),
    preview?.cost != null && formats.money(preview.cost),
    preview?.clientSid,
  ].filter((part) => typeof part === 'string');
  return (
    <p className="grow small ink-3" role="status">
      {parts.map((part, index) => (
        <span key={part}>
          {index > 0 && ' · '}
          <bdi>{part}</bdi>
        </span>
      ))}
    </p>
  );
}

function Problem({ text }: { text: string | null }) {
  return text === null ? null : (
    <p className="small conversation-problem" role="alert">
      {text}
    </p>
  );
}

type Preview = NonNullable<ReturnType<typeof useReplyPreview>['preview']>;

/** Why it would be refused: the finding in the text, otherwise the code. */
function problemText(refusal: Preview['refusal'], findings: Preview['findings'], error: unknown, t: Text) {
  if (error) return errorText(error, t);
  if (refusal === null) return null;
  const finding = findings.find(({ severity }) => severity === 'error');
  if (finding) return findingText(finding, t);
  return t.maybe(`error.${refusal.code}`, refusal.params) ?? t('error.UNKNOWN');
}
