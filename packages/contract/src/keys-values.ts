/** What a key sends to: phones, or the carrier of test mode. */
export const keyModes = ['live', 'test'] as const;
export type KeyMode = (typeof keyModes)[number];

/** Keys of one application that work. */
export const keysLimit = 50;

/** Beginning of a key: what is stored of its text, and enough to find it. Case matters. */
const keyBeginning = /^pk_(?:live|test)_[A-Za-z0-9]{1,8}/;

/** Returns the part of a text by which a key is found, null if it is not the beginning of one. A key is never sent whole. */
export const findKeyBeginning = (text: string): string | null => keyBeginning.exec(text.trim())?.[0] ?? null;
