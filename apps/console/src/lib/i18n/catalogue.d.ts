declare module 'virtual:catalogue/zh-CN/public' {
  const messages: Record<string, import('./text-store.ts').CompiledMessage>;
  export default messages;
}
declare module 'virtual:catalogue/zh-CN/console' {
  const messages: Record<string, import('./text-store.ts').CompiledMessage>;
  export default messages;
}
declare module 'virtual:catalogue/en-US/public' {
  const messages: Record<string, import('./text-store.ts').CompiledMessage>;
  export default messages;
}
declare module 'virtual:catalogue/en-US/console' {
  const messages: Record<string, import('./text-store.ts').CompiledMessage>;
  export default messages;
}
declare module 'virtual:locale-packs' {
  export const loaders: Record<string, () => Promise<{ default: import('../../ui/form/antd-scope.tsx').LocalePack }>>;
}
declare module 'virtual:theme.css';
