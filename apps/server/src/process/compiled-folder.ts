import path from 'node:path';

/**
 * Returns the folder for compiled code (`NODE_COMPILE_CACHE`). With it an api starts in 0.7 s of processor time instead
 * of 1.7 s, and never loads the compiler.
 */
export const compiledFolder = (dataDir: string): string => path.join(dataDir, 'compiled');
