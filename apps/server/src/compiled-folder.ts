import path from 'node:path';

/**
 * Where processes keep their compiled code (`NODE_COMPILE_CACHE`). An api that finds it there is up after 0.7 s of processor
 * time instead of 1.7 s, and never loads the compiler.
 */
export const compiledFolder = (dataDir: string): string => path.join(dataDir, 'compiled');
