/** A file as it was sent within a call: what it is shows in its first octets, whatever its name says. */
import { fieldProblem } from './problem.ts';

export type AttachmentType = 'application/pdf' | 'image/png' | 'image/jpeg';

const signatures: readonly (readonly [AttachmentType, Buffer])[] = [
  ['application/pdf', Buffer.from('%PDF-')],
  ['image/png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ['image/jpeg', Buffer.from([0xff, 0xd8, 0xff])],
];

export interface Attachment {
  readonly name: string;
  readonly type: AttachmentType;
  readonly content: Buffer;
}

/** `field`: of the body, which problems are reported at. */
export function readAttachment(
  { name, content }: { name: string; content: string },
  field: string,
  limitBytes: number,
): Attachment {
  const octets = Buffer.from(content, 'base64');
  if (octets.length > limitBytes) throw fieldProblem(field, 'TOO_BIG', { maximum: limitBytes });
  const [type] = signatures.find(([, start]) => octets.subarray(0, start.length).equals(start)) ?? [];
  if (type === undefined) throw fieldProblem(field, 'FORMAT');
  return { name, type, content: octets };
}
