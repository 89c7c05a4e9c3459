import { useQuery } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { findMatches } from '../../features/public/docs/find-matches.ts';
import { useTexts } from '../../lib/i18n/text-store.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Icon } from '../../ui/base/icon.tsx';
import { FailedState } from '../../ui/feedback/blank.tsx';
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx';
import { SearchInput } from '../../ui/filters/search-input.tsx';
import { Drawer } from '../../ui/layers/drawer.tsx';
import './help.css';
import { type HelpLanguage, loadHelp } from './load-help.ts';

/** Searches the questions and answers and the documentation, which are written in Chinese and English. */
export default function HelpPanel({ onClose }: { onClose: () => void }) {
  const t = useText();
  const { locale } = useTexts();
  const [asked, setAsked] = useState<string>();
  const language: HelpLanguage = locale.startsWith('zh') ? 'zh-CN' : 'en-US';
  const { data, error, refetch } = useQuery({
    queryKey: ['help', language],
    queryFn: () => loadHelp(language),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Drawer width="narrow" title={t('shell.help')} onClose={onClose}>
      <div className="help">
        <SearchInput label={t('shell.help.search')} value={asked} onChange={setAsked} />
        {data ? (
          <div className="help-found" lang={language} dir="ltr">
            <Answers help={data} asked={asked ?? ''} />
          </div>
        ) : error ? (
          <FailedState error={error} onRetry={() => void refetch()} />
        ) : (
          <SkeletonLines lines={6} />
        )}
      </div>
    </Drawer>
  );
}

/** Everything that was asked before, until something is typed. */
function Answers({ help, asked }: { help: Awaited<ReturnType<typeof loadHelp>>; asked: string }) {
  const t = useText();
  const isAsked = asked.trim() !== '';
  const found = findMatches(help.answers, asked);
  const questions = isAsked
    ? help.answers.filter(({ href }) => found.some((match) => match.href === href))
    : help.answers;
  const pages = isAsked ? findMatches(help.pages, asked) : [];
  if (questions.length + pages.length === 0) return <p className="ink-2">{t('palette.count', { count: 0 })}</p>;
  return (
    <>
      {questions.map(({ href, page, title, text }, index) => (
        <div key={href}>
          {questions[index - 1]?.page !== page && <h3 className="help-group">{page}</h3>}
          <details className="help-answer" open={questions.length === 1}>
            <summary>{title}</summary>
            <p>{text}</p>
          </details>
        </div>
      ))}
      {pages.map(({ href, page, title, excerpt }, index) => (
        <div key={href}>
          {pages[index - 1]?.page !== page && <h3 className="help-group">{page}</h3>}
          <a className="help-page" href={href} target="_blank" rel="noreferrer">
            <b>
              {title}
              <Icon of={ExternalLink} size="small" />
            </b>
            <span>{excerpt}</span>
          </a>
        </div>
      ))}
    </>
  );
}
