import type { Fix, TemplateFinding } from '@pahatid/domain';
import { findingText } from '../../lib/i18n/finding-text.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { RemarkList } from '../../ui/data/remark-list.tsx';

interface TemplateFindingsProps {
  findings: readonly TemplateFinding[];
  /** True while the findings are those of an older text, or the terms of the provider are not loaded. */
  pending: boolean;
  onFix: (fixes: readonly Fix[]) => void;
}

/** The verdict of the content rules. It is green only for the text that is in the editor, judged by all rules. */
export function TemplateFindings({ findings, pending, onFix }: TemplateFindingsProps) {
  const t = useText();
  if (findings.length === 0)
    return (
      <RemarkList
        live
        label={t('templates.findings')}
        remarks={[
          pending
            ? { key: 'pending', tone: 'pending', text: t('templates.findings.pending') }
            : { key: 'ok', tone: 'success', text: t('templates.findings.none') },
        ]}
      />
    );
  return (
    <RemarkList
      live
      label={t('templates.findings')}
      remarks={[...Map.groupBy(findings, (finding) => findingText(finding, t))].map(([text, same]) => {
        const fixes = same.flatMap(({ fix }) => fix ?? []);
        return {
          key: text,
          tone: same[0]?.severity === 'error' ? 'danger' : 'warning',
          text: (
            <>
              <bdi>{text}</bdi>
              {same.length > 1 && <span className="ink-3"> ×{same.length}</span>}
            </>
          ),
          // Repairs are made for places of the text that was judged.
          action: fixes.length > 0 && !pending && (
            <Button
              size="small"
              variant="link"
              aria-label={t('finding.mend.named', { problem: text })}
              onClick={() => onFix(fixes)}
            >
              {t('finding.mend')}
            </Button>
          ),
        };
      })}
    />
  );
}
