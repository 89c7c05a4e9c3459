export { type Clock, systemClock, type Timer } from './clock.ts';
export { type Counted, countChange, type Priced } from './count-change.ts';
export { SendingEngine } from './engine.ts';
export { defaultSettings, type EngineEvents, type EngineSettings } from './engine-settings.ts';
export { flushAt } from './flush-policy.ts';
export { allPartsDelivered, mergeChange, partBit } from './merge-change.ts';
export type { Outgoing } from './outgoing.ts';
export type * from './ports.ts';
export { namesPhone, ReceiptIndex } from './receipt-index.ts';
