export * from './connect.ts';
export * from './ids.ts';
export * from './migrate.ts';
export * from './sql.ts';
export * from './transaction.ts';
export * from './with-transaction.ts';
