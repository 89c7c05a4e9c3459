export type { Carrier } from './carrier.ts';
export type { DisconnectHow, Faults } from './faults.ts';
export type { InboundMessage } from './inbound-message.ts';
export type { Journal, JournalFilter } from './journal.ts';
export type { JournalEntry } from './journal-store.ts';
export type { OutcomeMix, OutcomeName } from './outcomes.ts';
export type { CarrierChange, CarrierProfile, ReceiptProfile } from './profiles.ts';
export type { Span } from './random.ts';
export { type Simulator, type SimulatorOptions, startSimulator } from './simulator.ts';
