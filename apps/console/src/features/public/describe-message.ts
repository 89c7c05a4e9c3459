import type { CompiledMessage } from '../../lib/i18n/format-message.ts';

/** The parser's numbers for its kinds of elements. */
const KIND = { literal: 0, select: 5, plural: 6, pound: 7, tag: 8 } as const;

/** Returns the text of a message without values: `{name}` for each, and the general form of a plural or a choice. */
export function describeMessage(message: CompiledMessage, counted = ''): string {
  if (typeof message === 'string') return message;
  return message
    .map((element) => {
      switch (element.type) {
        case KIND.literal:
          return element.value;
        case KIND.pound:
          return `{${counted}}`;
        case KIND.plural:
        case KIND.select:
          return describeMessage(element.options['other']?.value ?? [], element.value);
        case KIND.tag:
          return describeMessage(element.children, counted);
        default:
          return `{${element.value}}`;
      }
    })
    .join('');
}
