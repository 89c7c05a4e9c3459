/**
 * What the recipients of an A/B test come to. A row that one of the templates refuses is no recipient of any, so that the
 * variants differ in nothing but what is compared. The rows are divided once all are judged: the variants are counted with
 * their own template, and the others with the one that costs the most, as long as none has won.
 */
import { randomBytes } from 'node:crypto';
import type { CheckedVariant } from '@pahatid/db/queries/ab-tests';
import { drawShares, LAST_PLACE } from '@pahatid/domain';
import { ProblemError } from '../../http/problem.ts';
import type { Suppressed } from './find-suppressed.ts';
import { placeRecipient } from './place-recipient.ts';
import { type CarrierTally, RecipientTally, type Refusal, type TallyTerms } from './recipient-tally.ts';

export interface VariantTerms extends Pick<TallyTerms, 'template'> {
  readonly share: number;
  readonly templateVersion: number;
  readonly content: string;
}

export interface AbDraw {
  readonly seed: Buffer;
  readonly variants: readonly CheckedVariant[];
}

interface Sum {
  recipients: number;
  segments: number;
  cost: number;
}

export class AbTally {
  /** Of all recipients, once they are drawn. */
  readonly whole: RecipientTally;
  private readonly judges: readonly RecipientTally[];
  private readonly variants: readonly VariantTerms[];
  private readonly seed = randomBytes(16);
  private readonly places: number[] = [];
  private readonly carriers: CarrierTally[] = [];
  /** By variant, and in it by recipient. */
  private readonly segments: number[][];

  constructor(terms: Omit<TallyTerms, 'template'>, variants: readonly VariantTerms[]) {
    this.variants = variants;
    this.judges = variants.map(({ template }) => new RecipientTally({ ...terms, template }));
    this.segments = variants.map(() => []);
    const [first] = this.judges;
    if (first === undefined) throw new Error('an A/B test has variants');
    this.whole = first;
  }

  /** Returns null for a recipient, or a suppressed one. */
  add(
    row: { readonly line: number; readonly msisdn: string; readonly values: readonly (string | null)[] },
    suppressed: Suppressed,
  ): Refusal | null {
    const judged = this.judges.map((judge) => judge.judge(row.msisdn, row.values, suppressed));
    const refusal = judged.find((each) => 'reason' in each);
    if (refusal !== undefined) {
      this.whole.droppedCount += 1;
      return refusal;
    }
    // Whether one may be written to does not depend on the text.
    const left = judged.find((each) => 'lacks' in each);
    if (left !== undefined) {
      this.whole.leaveOut(left);
      return null;
    }
    const found = judged.filter((each) => 'segments' in each);
    const [first] = found;
    if (first === undefined) return null;
    this.places.push(placeRecipient(this.seed.toString('hex'), row.line));
    this.carriers.push(first.of);
    for (const [variant, { segments }] of found.entries()) this.segments[variant]?.push(segments);
    return null;
  }

  /** Divides the recipients, and counts all of them. */
  draw(): AbDraw {
    const parts = drawShares(
      Float64Array.from(this.places),
      this.variants.map(({ share }) => share),
    );
    const ends = parts.map(({ high }) => high);
    const restFrom = ends.at(-1) ?? LAST_PLACE;
    const own = this.variants.map((): Sum => ({ recipients: 0, segments: 0, cost: 0 }));
    const rest = this.variants.map((): Sum => ({ recipients: 0, segments: 0, cost: 0 }));
    for (const [index, place] of this.places.entries()) {
      const at = ends.findIndex((end) => place < end);
      if (place >= restFrom) for (const variant of rest.keys()) this.count(rest[variant], variant, index);
      else this.count(own[at], at, index);
    }
    if ([...own, ...rest.slice(0, 1)].some(({ recipients }) => recipients === 0)) throw new ProblemError('AB_TOO_FEW');
    const dearest = rest.reduce((most, { cost }, variant) => (cost > (rest[most]?.cost ?? 0) ? variant : most), 0);
    for (const [index, place] of this.places.entries()) {
      const at = ends.findIndex((end) => place < end);
      const carrier = this.carriers[index];
      if (carrier) this.whole.addRecipient(carrier, this.segments[at < 0 ? dearest : at]?.[index] ?? 0);
    }
    return {
      seed: this.seed,
      variants: this.variants.map(({ templateVersion, content }, variant) => ({
        templateVersion,
        content,
        ...(parts[variant] ?? { low: 0, high: 0 }),
        ...(own[variant] ?? { recipients: 0, segments: 0, cost: 0 }),
        restSegments: rest[variant]?.segments ?? 0,
        restCost: rest[variant]?.cost ?? 0,
      })),
    };
  }

  private count(sum: Sum | undefined, variant: number, index: number): void {
    const segments = this.segments[variant]?.[index] ?? 0;
    if (sum === undefined) return;
    sum.recipients += 1;
    sum.segments += segments;
    sum.cost += segments * (this.carriers[index]?.price ?? 0);
  }
}
