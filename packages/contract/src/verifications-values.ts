/** Limits of verifications, apart from the schemas, which the console leaves out. */
export const verificationLimits = {
  /** Digits. */
  codeLength: { least: 4, most: 10, usual: 6 },
  /** Seconds. */
  validFor: { least: 60, most: 1_800, usual: 300 },
  /** Wrong codes. */
  attempts: 5,
  /** Codes of one verification. */
  sends: 5,
  resendAfterS: 60,
  /** Codes to a phone in an hour, of one application. */
  sendsAnHour: 10,
} as const;

/** What the figures of verifications are divided by. */
export const verificationDivisions = ['prefix', 'areaCode', 'appId'] as const;
export type VerificationDivision = (typeof verificationDivisions)[number];
