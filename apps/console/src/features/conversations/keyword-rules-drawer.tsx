import type { KeywordRule } from '@pahatid/contract';
import { ArrowDown, ArrowUp, Pencil, Plus, Trash2, Zap } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useMay } from '../../lib/api/session.ts';
import { useCall, useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Icon } from '../../ui/base/icon.tsx';
import { EmptyState, FailedState } from '../../ui/feedback/blank.tsx';
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx';
import { toastError } from '../../ui/feedback/toast-store.ts';
import { ConfirmDialog } from '../../ui/layers/dialog.tsx';
import { Drawer } from '../../ui/layers/drawer.tsx';
import { KeywordRuleForm } from './keyword-rule-form.tsx';
import { KeywordTest } from './keyword-test.tsx';

type Open = { act: 'add' } | { act: 'edit' | 'delete'; of: KeywordRule };

/** Rules that answer phones by keyword, in the order in which they are tried, and a text to try them with. */
export default function KeywordRulesDrawer({ onClose }: { onClose: () => void }) {
  const t = useText();
  const mayChange = useMay('owner', 'member');
  const list = useCall('GET /keyword-rules');
  const refresh = useRefresh();
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const rules = list.data?.keywordRules;
  const isEmpty = rules?.length === 0;
  const add = mayChange ? (
    <Button variant="primary" icon={Plus} onClick={() => setOpen({ act: 'add' })}>
      {t('conversations.rules.add')}
    </Button>
  ) : undefined;
  const change = async (rule: KeywordRule, body: { useState?: 0 | 1; place?: number }) => {
    try {
      await call('PATCH /keyword-rules/:ruleId', { params: { ruleId: rule.ruleId }, body });
    } catch (error) {
      toastError(error);
    }
    await refresh('/keyword-rules');
  };
  return (
    <Drawer title={t('conversations.rules')} width="narrow" actions={isEmpty ? undefined : add} onClose={onClose}>
      <p className="small ink-2">{t('conversations.rules.fact')}</p>
      {list.error ? (
        <FailedState error={list.error} onRetry={() => void list.refetch()} />
      ) : rules === undefined ? (
        <SkeletonLines lines={6} />
      ) : rules.length === 0 ? (
        <EmptyState title={t('conversations.rules.none')} action={add} />
      ) : (
        <>
          <ol className="conversation-rules">
            {rules.map((rule) => {
              const among = rules.filter(({ appId }) => appId === rule.appId);
              const place = among.indexOf(rule);
              return (
                <Rule
                  key={rule.ruleId}
                  rule={rule}
                  mayChange={mayChange}
                  onOpen={(act) => setOpen({ act, of: rule })}
                  onSwitch={() => void change(rule, { useState: rule.useState === 1 ? 0 : 1 })}
                  onUp={place === 0 ? undefined : () => void change(rule, { place: place - 1 })}
                  onDown={place === among.length - 1 ? undefined : () => void change(rule, { place: place + 1 })}
                />
              );
            })}
          </ol>
          {mayChange && <KeywordTest appIds={[...new Set(rules.map(({ appId }) => appId))]} />}
        </>
      )}
      {open !== null && open.act !== 'delete' && (
        <KeywordRuleForm rule={open.act === 'edit' ? open.of : undefined} onClose={close} />
      )}
      {open?.act === 'delete' && (
        <ConfirmDialog
          danger
          title={t('groups.delete.title', { name: open.of.keywords.join(', ') })}
          confirmLabel={t('groups.delete')}
          onConfirm={async () => {
            await call('DELETE /keyword-rules/:ruleId', { params: { ruleId: open.of.ruleId } });
            await refresh('/keyword-rules');
            close();
          }}
          onClose={close}
        >
          <bdi>{open.of.templateName}</bdi>
        </ConfirmDialog>
      )}
    </Drawer>
  );
}

interface RuleProps {
  rule: KeywordRule;
  mayChange: boolean;
  onOpen: (act: 'edit' | 'delete') => void;
  onSwitch: () => void;
  onUp: (() => void) | undefined;
  onDown: (() => void) | undefined;
}

function Rule({ rule, mayChange, onOpen, onSwitch, onUp, onDown }: RuleProps) {
  const t = useText();
  const { keywords, templateName, hours, appId, useState: state } = rule;
  const name = keywords.join(', ');
  const button = { variant: 'quiet', size: 'small' } as const;
  return (
    <li className={state === 1 ? undefined : 'is-off'}>
      <div className="grow">
        <p className="conversation-keywords">
          {keywords.map((keyword) => (
            <span key={keyword} className="conversation-keyword">
              <Icon of={Zap} size="small" />
              <bdi>{keyword}</bdi>
            </span>
          ))}
        </p>
        <p>
          <bdi>{templateName ?? '–'}</bdi>
        </p>
        <p className="small ink-3">
          <bdi className="mono">{appId}</bdi> ·{' '}
          {hours === null ? t('conversations.rules.always') : <bdi dir="ltr">{spanOf(hours)}</bdi>}
          {state === 0 && ` · ${t('account.off')}`}
        </p>
      </div>
      {mayChange && (
        <div className="conversation-rule-acts">
          <Button size="small" aria-pressed={state === 1} aria-label={`${t('account.on')}: ${name}`} onClick={onSwitch}>
            {state === 1 ? t('account.on') : t('account.off')}
          </Button>
          <Button
            {...button}
            icon={ArrowUp}
            aria-label={`${t('conversations.rules.up')}: ${name}`}
            disabled={onUp === undefined}
            onClick={onUp}
          />
          <Button
            {...button}
            icon={ArrowDown}
            aria-label={`${t('conversations.rules.down')}: ${name}`}
            disabled={onDown === undefined}
            onClick={onDown}
          />
          <Button
            {...button}
            icon={Pencil}
            aria-label={`${t('groups.edit')}: ${name}`}
            onClick={() => onOpen('edit')}
          />
          <Button
            {...button}
            icon={Trash2}
            aria-label={`${t('groups.delete')}: ${name}`}
            onClick={() => onOpen('delete')}
          />
        </div>
      )}
    </li>
  );
}

const twoDigits = (hour: number): string => String(hour).padStart(2, '0');
const spanOf = ({ from, to }: { from: number; to: number }): string => `${twoDigits(from)}:00–${twoDigits(to)}:00`;
