declare module 'virtual:catalogue/zh-CN/public' {
  const messages: import('./text-store.ts').Messages;
  export default messages;
}
declare module 'virtual:catalogue/zh-CN/signIn' {
  const messages: import('./text-store.ts').Messages;
  export default messages;
}
declare module 'virtual:catalogue/zh-CN/arrival' {
  const messages: import('./text-store.ts').Messages;
  export default messages;
}
declare module 'virtual:catalogue/zh-CN/console' {
  const messages: import('./text-store.ts').Messages;
  export default messages;
}
declare module 'virtual:catalogue/zh-CN/routing' {
  const messages: import('./text-store.ts').Messages;
  export default messages;
}
declare module 'virtual:catalogue/zh-CN/audit' {
  const messages: import('./text-store.ts').Messages;
  export default messages;
}
declare module 'virtual:catalogue/zh-CN/customers' {
  const messages: import('./text-store.ts').Messages;
  export default messages;
}
declare module 'virtual:catalogue/zh-CN/abTests' {
  const messages: import('./text-store.ts').Messages;
  export default messages;
}
declare module 'virtual:catalogue/en-US/abTests' {
  const messages: import('./text-store.ts').Messages;
  export default messages;
}
declare module 'virtual:catalogue/zh-CN/sendHours' {
  const messages: import('./text-store.ts').Messages;
  export default messages;
}
declare module 'virtual:catalogue/zh-CN/thresholds' {
  const messages: import('./text-store.ts').Messages;
  export default messages;
}
declare module 'virtual:catalogue/zh-CN/conversations' {
  const messages: import('./text-store.ts').Messages;
  export default messages;
}
declare module 'virtual:catalogue/zh-CN/consents' {
  const messages: import('./text-store.ts').Messages;
  export default messages;
}
declare module 'virtual:catalogue/zh-CN/dossiers' {
  const messages: import('./text-store.ts').Messages;
  export default messages;
}
declare module 'virtual:catalogue/zh-CN/savedViews' {
  const messages: import('./text-store.ts').Messages;
  export default messages;
}
declare module 'virtual:catalogue/en-US/public' {
  const messages: import('./text-store.ts').Messages;
  export default messages;
}
declare module 'virtual:catalogue/en-US/signIn' {
  const messages: import('./text-store.ts').Messages;
  export default messages;
}
declare module 'virtual:catalogue/en-US/arrival' {
  const messages: import('./text-store.ts').Messages;
  export default messages;
}
declare module 'virtual:catalogue/en-US/console' {
  const messages: import('./text-store.ts').Messages;
  export default messages;
}
declare module 'virtual:catalogue/en-US/routing' {
  const messages: import('./text-store.ts').Messages;
  export default messages;
}
declare module 'virtual:catalogue/en-US/audit' {
  const messages: import('./text-store.ts').Messages;
  export default messages;
}
declare module 'virtual:catalogue/en-US/customers' {
  const messages: import('./text-store.ts').Messages;
  export default messages;
}
declare module 'virtual:catalogue/en-US/sendHours' {
  const messages: import('./text-store.ts').Messages;
  export default messages;
}
declare module 'virtual:catalogue/en-US/thresholds' {
  const messages: import('./text-store.ts').Messages;
  export default messages;
}
declare module 'virtual:catalogue/en-US/conversations' {
  const messages: import('./text-store.ts').Messages;
  export default messages;
}
declare module 'virtual:catalogue/en-US/consents' {
  const messages: import('./text-store.ts').Messages;
  export default messages;
}
declare module 'virtual:catalogue/en-US/dossiers' {
  const messages: import('./text-store.ts').Messages;
  export default messages;
}
declare module 'virtual:catalogue/en-US/savedViews' {
  const messages: import('./text-store.ts').Messages;
  export default messages;
}
declare module 'virtual:translated-catalogues' {
  /** By locale: all that have a catalogue, but zh-CN and en-US. */
  export const translated: Record<string, import('./text-store.ts').TextLoaders | undefined>;
}
declare module 'virtual:locale-packs' {
  export const loaders: Record<string, () => Promise<{ default: import('./locale-pack.ts').LocalePack }>>;
}
declare module 'virtual:theme.css';
