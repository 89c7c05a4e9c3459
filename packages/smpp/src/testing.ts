/** What the tests of programs that speak SMPP share: PDUs octet by octet, and wrong ones made from them. */
export { makeRandom, mutate } from './codec/mutated-octets.ts';
export { WIRE_VECTORS } from './codec/wire-vectors.ts';
