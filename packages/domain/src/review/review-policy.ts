import { ReviewPolicy, SmsType } from '@pahatid/contract/enums';

export interface ReviewQuestion {
  policy: ReviewPolicy;
  /** For `aboveCount`: more recipients than this are reviewed. */
  above: number | null;
  recipients: number;
  smsType: SmsType;
  /** Whether a task of this customer was ever confirmed before. */
  hasSentBefore: boolean;
}

/** Whether a reviewer must look at a task before it is sent. */
export const needsReview = (question: ReviewQuestion): boolean => {
  switch (question.policy) {
    case ReviewPolicy.Always:
      return true;
    case ReviewPolicy.Never:
      return false;
    case ReviewPolicy.AboveCount:
      return question.recipients > (question.above ?? 0);
    case ReviewPolicy.FirstTask:
      return !question.hasSentBefore;
    case ReviewPolicy.Marketing:
      return question.smsType === SmsType.Marketing;
  }
};
