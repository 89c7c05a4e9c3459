/** Bounds of a volume: when users are notified, and what its gauge shows. */

export interface VolumeBounds {
  /** In the unit of the rule; null: no one is notified. */
  readonly alertAt: number | null;
  /** Null: it only alerts. */
  readonly limitAt: number | null;
}

export type VolumeStage = 'ok' | 'alert' | 'limit';

/**
 * `isRefusing`: something was refused or put off to a later period already: with messages of several segments a limit may
 * be reached though a little of it is left.
 */
export const stageOfVolume = ({ alertAt, limitAt }: VolumeBounds, used: number, isRefusing: boolean): VolumeStage => {
  if (limitAt !== null && (used >= limitAt || isRefusing)) return 'limit';
  return alertAt !== null && used >= alertAt ? 'alert' : 'ok';
};
