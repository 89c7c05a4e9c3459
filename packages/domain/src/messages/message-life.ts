/** A message's life as recorded in its row: the completed steps, in order, and whether it was charged. */
import { ChargeType, ClientStatus, SendStatus } from '@pahatid/contract/enums';

export interface LivedMessage {
  readonly acceptedAt: Date;
  readonly sendStatus: SendStatus;
  readonly clientStatus: ClientStatus;
  readonly dealResult: string | null;
  readonly carrierCode: string | null;
  readonly submittedAt: Date | null;
  readonly answeredAt: Date | null;
  /** Time since which it is in doubt; null if it is not. */
  readonly doubtSince: Date | null;
  readonly reportAt: Date | null;
}

export interface LifeStep {
  step: 'accepted' | 'submitted' | 'answered' | 'unconfirmed' | 'receipt' | 'blocked';
  time: string;
  code: string | null;
}

export const listLifeSteps = (message: LivedMessage): LifeStep[] => {
  const life: LifeStep[] = [];
  const add = (step: LifeStep['step'], at: Date | null, code: string | null): void => {
    if (at !== null) life.push({ step, time: at.toISOString(), code });
  };
  const isBlocked = message.clientStatus === ClientStatus.Blocked;
  const isRefused = message.sendStatus === SendStatus.Failed;
  add('accepted', message.acceptedAt, null);
  if (isBlocked) add('blocked', message.answeredAt ?? message.acceptedAt, message.dealResult);
  add('submitted', message.submittedAt, null);
  if (!isBlocked) add('answered', message.answeredAt, isRefused ? (message.carrierCode ?? message.dealResult) : null);
  add('unconfirmed', message.doubtSince, null);
  add('receipt', message.reportAt, message.carrierCode ?? message.dealResult);
  return life;
};

/** SenderPays is charged when the carrier accepts, ReceiverPays when the delivered receipt arrives. */
export const isCharged = (message: {
  chargeType: ChargeType;
  sendStatus: SendStatus;
  clientStatus: ClientStatus;
}): boolean =>
  message.chargeType === ChargeType.SenderPays
    ? message.sendStatus === SendStatus.Successful
    : message.clientStatus === ClientStatus.Delivered;
