/** Scope of a limit, and whether a message belongs to it. */
import type { SmsType } from '@pahatid/contract';

/** Null: any. */
export interface LimitScope {
  readonly thresholdId: string;
  readonly appId: string | null;
  /** ISO 3166 alpha-2. */
  readonly areaCode: string | null;
  readonly carrier: string | null;
  readonly smsType: SmsType | null;
}

/** A message as limits look at it. */
export interface LimitSubject {
  readonly appId: string;
  readonly areaCode: string;
  /** Null if unknown: no limit on a carrier applies. */
  readonly carrier: string | null;
  readonly smsType: SmsType;
}

export const isInScope = (scope: Omit<LimitScope, 'thresholdId'>, subject: LimitSubject): boolean =>
  (scope.appId === null || scope.appId === subject.appId) &&
  (scope.areaCode === null || scope.areaCode === subject.areaCode) &&
  (scope.carrier === null || scope.carrier === subject.carrier) &&
  (scope.smsType === null || scope.smsType === subject.smsType);
