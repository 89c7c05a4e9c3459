import { checkValue, findLinks, type ValueVerdict } from './links.ts';
import { listVariables, renderTemplate, type TemplateVariable } from './variables.ts';

/** A template made ready for many rows. */
export interface CompiledTemplate {
  content: string;
  /** Values a row needs: the highest placeholder number. */
  variableCount: number;
  render(values: readonly string[]): string;
  /**
   * Judges the values of one row, alone and where the text joins them to other URL characters: "{1}.{2}" with "bit" and
   * "ly" is a link that neither value is. `variable` identifies the offending value.
   */
  judgeValues(values: readonly string[]): { verdict: ValueVerdict; variable: number };
}

const URL_CHARACTER = /[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%{}]/;
/** After it a run can't go on into a host or path. */
const CLOSING = /^[.,;:!?)'\]]*(?:\s|$)/;

export function compileTemplate(content: string): CompiledTemplate {
  const variables = listVariables(content);
  const variableCount = variables.reduce((highest, variable) => Math.max(highest, variable.number), 0);
  const pieces = cut(content, variables);
  const joints = listJoints(content, variables);

  return {
    content,
    variableCount,
    render(values) {
      let text = pieces[0]!;
      for (let i = 0; i < variables.length; i++) text += (values[variables[i]!.number - 1] ?? '') + pieces[i + 1]!;
      return text;
    },
    judgeValues(values) {
      let ambiguous = 0;
      for (let i = 0; i < variableCount; i++) {
        const verdict = checkValue(values[i] ?? '');
        if (verdict === 'link') return { verdict, variable: i + 1 };
        if (verdict === 'ambiguous' && ambiguous === 0) ambiguous = i + 1;
      }
      for (const joint of joints) {
        const verdict = checkValue(renderTemplate(joint.text, values));
        if (verdict === 'link') return { verdict, variable: joint.variable };
      }
      return ambiguous === 0 ? { verdict: 'plain', variable: 0 } : { verdict: 'ambiguous', variable: ambiguous };
    },
  };
}

function cut(content: string, variables: readonly TemplateVariable[]): string[] {
  let from = 0;
  const pieces = variables.map((variable) => {
    const piece = content.slice(from, variable.from);
    from = variable.to;
    return piece;
  });
  return [...pieces, content.slice(from)];
}

interface Joint {
  /** The run as written, placeholders included. */
  text: string;
  variable: number;
}

/**
 * Returns runs in which a placeholder adjoins another one or URL characters, other than the sentence's own punctuation.
 */
function listJoints(content: string, variables: readonly TemplateVariable[]): Joint[] {
  const joints: Joint[] = [];
  const ownLinks = findLinks(content, variables).filter((link) => link.variables.length > 0);
  let done = 0;
  for (const variable of variables) {
    if (variable.from < done) continue;
    let from = variable.from;
    let to = variable.to;
    while (from > 0 && URL_CHARACTER.test(content[from - 1]!)) from--;
    while (to < content.length && URL_CHARACTER.test(content[to]!)) to++;
    done = to;
    const isAlone = from === variable.from && CLOSING.test(content.slice(variable.to, to));
    // A run that is a link without its values is an error of the template, not of a row.
    const isLink = ownLinks.some((link) => link.from < to && from < link.to);
    if (!isAlone && !isLink) joints.push({ text: content.slice(from, to), variable: variable.number });
  }
  return joints;
}
