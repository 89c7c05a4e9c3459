export { TRY_LIMIT } from './answers.ts';
export { type Clock, systemClock, type Timer } from './clock.ts';
export { type Counted, countChange, countRow, type Priced } from './count-change.ts';
export { SendingEngine } from './engine.ts';
export { defaultSettings, type EngineEvents, type EngineSettings } from './engine-settings.ts';
export { allPartsDelivered, mergeChange, partBit, receiptState } from './merge-change.ts';
export type { Outgoing } from './outgoing.ts';
export type * from './ports.ts';
export { isSamePhone, namesPhone, ReceiptIndex } from './receipt-index.ts';
