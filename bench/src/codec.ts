/** Encoding and decoding on one core, compared with the npm library in the same run. */
import { encodePdu, makePdu, PduDecoder, readReceipt } from '@pahatid/smpp';
import type { Bench, Figure } from './bench.ts';
import { fetchRival, rivalVersion } from './rival-codec.ts';

const ROUNDS = 5;
const text = 'Your one-time PIN is 482913. It ends in 3 minutes. Our staff will never ask for it.';
const fields = {
  source_addr_ton: 5,
  source_addr_npi: 0,
  source_addr: 'PAHATID',
  dest_addr_ton: 1,
  dest_addr_npi: 1,
  destination_addr: '639171234567',
  registered_delivery: 1,
};
const receiptText =
  'id:0059113978 sub:001 dlvrd:001 submit date:2611210830 done date:2611210831 stat:DELIVRD err:000 text:Your one-time PIN is';

/** Runs per second of processor time: other load on the machine is not counted. */
const perSecond = (count: number, run: () => void): number => {
  const before = process.cpuUsage();
  for (let i = 0; i < count; i++) run();
  const { user, system } = process.cpuUsage(before);
  return (count * 1e6) / (user + system);
};

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** In turns, so that all run under the same conditions; the first turn only compiles. */
const inTurns = (count: number, runs: Record<string, { run: () => void; share: number }>): Record<string, number> => {
  const found = Object.fromEntries(Object.keys(runs).map((name) => [name, [] as number[]]));
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, { run, share }] of Object.entries(runs)) {
      const rate = perSecond(Math.ceil(count * share), run);
      if (round > 0) found[name]?.push(rate);
    }
  }
  return Object.fromEntries(Object.entries(found).map(([name, rates]) => [name, median(rates)]));
};

/** Decodes a stream of a thousand PDUs in chunks of 64 KiB, as a socket gives them. */
const streamDecoder = (pdu: Buffer, use: (decoder: PduDecoder) => void): (() => void) => {
  const stream = Buffer.concat(Array.from({ length: 1_000 }, () => pdu));
  return () => {
    const decoder = new PduDecoder();
    for (let at = 0; at < stream.length; at += 65_536) {
      decoder.push(stream.subarray(at, at + 65_536));
      use(decoder);
    }
  };
};

const ours = () => {
  const submit = makePdu('submit_sm', { ...fields, short_message: Buffer.from(text) });
  const deliver = makePdu('deliver_sm', { ...fields, esm_class: 4, short_message: Buffer.from(receiptText) });
  return {
    encode: () => void encodePdu(submit),
    'build and encode': () => void encodePdu(makePdu('submit_sm', { ...fields, short_message: Buffer.from(text) })),
    decode: streamDecoder(encodePdu(submit), (decoder) => {
      while (decoder.next() !== undefined);
    }),
    'decode and read receipt': streamDecoder(encodePdu(deliver), (decoder) => {
      for (let next = decoder.next(); next?.kind === 'pdu'; next = decoder.next()) {
        if (next.pdu.command === 'deliver_sm') readReceipt(next.pdu);
      }
    }),
  };
};

export const codec: Bench = {
  name: 'codec',
  says: 'submit_sm and receipts of 80 and 115 characters encoded and decoded, per second of one core (processor time, so a busy machine does not matter)',
  async measure([count = '200000']) {
    const runs = ours();
    const turns: Record<string, { run: () => void; share: number }> = {
      encode: { run: runs.encode, share: 1 },
      'build and encode': { run: runs['build and encode'], share: 1 },
      decode: { run: runs.decode, share: 1 / 1_000 },
      'decode and read receipt': { run: runs['decode and read receipt'], share: 1 / 1_000 },
    };
    const rival = await fetchRival();
    if ('codec' in rival) {
      const { PDU } = rival.codec;
      const octets = encodePdu(makePdu('submit_sm', { ...fields, short_message: Buffer.from(text) }));
      const theirFields = { ...fields, short_message: text };
      turns['rival encode'] = { run: () => void new PDU('submit_sm', theirFields).toBuffer(), share: 0.1 };
      turns['rival decode'] = { run: () => void PDU.fromBuffer(octets), share: 0.1 };
    }
    const rates = inTurns(Number(count), turns);
    if ('codec' in rival) rival.remove();
    const rate = (name: string) => rates[name] ?? 0;
    const decoded = rate('decode') * 1_000;
    const figure = (what: string, value: number, goal: number | null = null): Figure => ({
      what,
      value,
      unit: 'PDU/s',
      goal,
      higherIsBetter: true,
    });
    const figures = [
      figure('encode submit_sm', rate('encode'), 500_000),
      figure('build and encode submit_sm', rate('build and encode')),
      figure('decode submit_sm', decoded, 200_000),
      figure('decode deliver_sm and read its receipt', rate('decode and read receipt') * 1_000),
    ];
    if ('missing' in rival) {
      return {
        figures,
        remarks: [`Not compared with smpp ${rivalVersion} of npm, which cannot be had here: ${rival.missing}.`],
      };
    }
    const times = (what: string, value: number): Figure => ({
      what,
      value,
      unit: 'times',
      goal: 5,
      higherIsBetter: true,
    });
    figures.push(
      figure(`smpp ${rivalVersion} of npm, encode`, rate('rival encode')),
      figure(`smpp ${rivalVersion} of npm, decode`, rate('rival decode')),
      times('ours against it, build and encode', rate('build and encode') / rate('rival encode')),
      times('ours against it, decode', decoded / rate('rival decode')),
    );
    return { figures, remarks: [`Medians of ${ROUNDS} turns.`] };
  },
};
