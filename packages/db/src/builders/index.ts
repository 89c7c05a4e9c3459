export * from './applications.ts';
export * from './customers.ts';
export * from './files.ts';
export * from './messages.ts';
export * from './seed-demo.ts';
export * from './suppliers.ts';
export * from './tasks.ts';
export * from './templates.ts';
