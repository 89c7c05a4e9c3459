/** A receipt's file as it was sent: what it is shows in its first octets, whatever its name says. */
import { receiptLimitBytes, type TopUpReceipt } from '@pahatid/contract';
import { fieldProblem } from '../../http/problem.ts';

const signatures: readonly (readonly [TopUpReceipt['type'], Buffer])[] = [
  ['application/pdf', Buffer.from('%PDF-')],
  ['image/png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ['image/jpeg', Buffer.from([0xff, 0xd8, 0xff])],
];

export function readReceipt({ name, content }: { name: string; content: string }): {
  name: string;
  type: TopUpReceipt['type'];
  content: Buffer;
} {
  const octets = Buffer.from(content, 'base64');
  if (octets.length > receiptLimitBytes) throw fieldProblem('receipt', 'TOO_BIG', { maximum: receiptLimitBytes });
  const [type] = signatures.find(([, start]) => octets.subarray(0, start.length).equals(start)) ?? [];
  if (type === undefined) throw fieldProblem('receipt', 'FORMAT');
  return { name, type, content: octets };
}
