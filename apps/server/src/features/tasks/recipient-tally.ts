/**
 * What the recipients of a task come to: judged row by row by the template, with segments and cost by carrier. The check
 * of a task adds up all of them; an estimate before it, as many as it looks at.
 */
import { priceKey } from '@pahatid/db';
import { type CompiledTemplate, getCountry, isTestCustomer, renderRow } from '@pahatid/domain';
import type { RoutingTable } from '../../sending/route/routing-table.ts';
import type { Suppressed } from './find-suppressed.ts';

export interface TallyTerms {
  readonly customerId: string;
  readonly appId: string;
  readonly smsType: number;
  readonly template: CompiledTemplate;
  /** `mapping[0]` is the column of {1}. */
  readonly mapping: readonly number[];
  readonly routing: RoutingTable;
  /** Carriers whose recipients are left out. */
  readonly leaveOut?: readonly string[];
}

/** Recipients that one carrier serves. */
export interface CarrierTally {
  readonly areaCode: string;
  /** Null: the range has no known carrier. */
  readonly carrier: string | null;
  recipients: number;
  segments: number;
  /** Per segment, 1/10,000 PHP. */
  readonly price: number;
}

export interface Refusal {
  /** What the report of rejected rows shows. */
  readonly raw: string;
  readonly reason: string;
}

export interface Judged {
  /** The carrier's recipients. */
  readonly of: CarrierTally;
  readonly segments: number;
}

export interface LeftOut {
  readonly of: null;
  readonly lacks: 'optedOut' | 'consent' | 'carrier';
}

export class RecipientTally {
  totalCount = 0;
  droppedCount = 0;
  optedOutCount = 0;
  noConsentCount = 0;
  leftOutCount = 0;
  segments = 0;
  cost = 0;
  /** Of one message; null without recipients. */
  segmentsMin: number | null = null;
  segmentsMax: number | null = null;
  readonly prices = new Map<string, number>();
  private readonly byCarrier = new Map<string, CarrierTally>();
  private readonly terms: TallyTerms;

  constructor(terms: TallyTerms) {
    this.terms = terms;
  }

  /** Per segment if it is the same for all. */
  get price(): number | null {
    const [price, ...others] = new Set(this.prices.values());
    return others.length === 0 ? (price ?? null) : null;
  }

  /** The largest first. */
  get carriers(): CarrierTally[] {
    return [...this.byCarrier.values()].sort((a, b) => b.recipients - a.recipients);
  }

  /** Returns null for a recipient, or one that is suppressed or left out. Throws `NoRouteError` if there is no route. */
  add(msisdn: string, values: readonly (string | null)[], suppressed: Suppressed): Refusal | null {
    const judged = this.judge(msisdn, values, suppressed);
    if ('reason' in judged) {
      this.droppedCount += 1;
      return judged;
    }
    if (judged.of === null) this.leaveOut(judged);
    else this.addRecipient(judged.of, judged.segments);
    return null;
  }

  leaveOut({ lacks }: LeftOut): void {
    if (lacks === 'consent') this.noConsentCount += 1;
    else if (lacks === 'carrier') this.leftOutCount += 1;
    else this.optedOutCount += 1;
  }

  /** Counts nothing. */
  judge(msisdn: string, values: readonly (string | null)[], suppressed: Suppressed): Refusal | LeftOut | Judged {
    // Erased since the upload: no recipient, and nothing to show of it.
    if (msisdn === '') return { of: null, lacks: 'optedOut' };
    const { template, mapping, routing } = this.terms;
    const areaCode = getCountry(msisdn);
    const carrier = routing.rangeHolder(msisdn);
    if (!routing.mayReach(this.terms, areaCode, carrier)) return { raw: msisdn, reason: 'COUNTRY_NOT_OPEN' };
    const row = renderRow(template, mapping, values);
    if (!row.ok) {
      const blamed = row.variable === 0 ? null : values[mapping[row.variable - 1] ?? -1];
      return {
        raw: blamed ? `${msisdn}: ${blamed}` : msisdn,
        reason: row.variable === 0 ? row.reason : `${row.reason}:${row.variable}`,
      };
    }
    if (suppressed.optedOut.has(msisdn)) return { of: null, lacks: 'optedOut' };
    if (suppressed.noConsent.has(msisdn)) return { of: null, lacks: 'consent' };
    if (carrier !== null && this.terms.leaveOut?.includes(carrier)) return { of: null, lacks: 'carrier' };
    if (!isTestCustomer(this.terms.customerId)) routing.route(areaCode, carrier, this.terms.smsType, msisdn);
    return { of: this.ofCarrier(areaCode, carrier), segments: row.segments };
  }

  addRecipient(of: CarrierTally, segments: number): void {
    this.totalCount += 1;
    this.segments += segments;
    this.cost += segments * of.price;
    this.segmentsMin = Math.min(this.segmentsMin ?? segments, segments);
    this.segmentsMax = Math.max(this.segmentsMax ?? segments, segments);
    of.recipients += 1;
    of.segments += segments;
  }

  private ofCarrier(areaCode: string, carrier: string | null): CarrierTally {
    const key = priceKey(areaCode, carrier);
    let tally = this.byCarrier.get(key);
    if (tally === undefined) {
      const { smsType, routing, customerId } = this.terms;
      const price = routing.price(areaCode, carrier, smsType, customerId);
      tally = { areaCode, carrier, recipients: 0, segments: 0, price };
      this.byCarrier.set(key, tally);
      this.prices.set(key, price);
    }
    return tally;
  }
}
