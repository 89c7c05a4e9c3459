/** Bytes of an upload in one row of `file_chunk`; only the last is shorter. */
export const uploadChunkBytes = 1024 * 1024;
