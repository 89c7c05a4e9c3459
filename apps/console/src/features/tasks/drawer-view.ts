/** What the drawer keeps in the address: the task, its tab, the question to confirm, the filters of send detail, and the order of the log. */
export const drawerParams = [
  'open',
  'tab',
  'confirm',
  'mobileNumber',
  'sendStatus',
  'clientStatus',
  'dealResult',
  'at',
  'atSort',
] as const;

export type DrawerParam = (typeof drawerParams)[number];

/** The patch that closes it and forgets all of that. */
export const closedDrawer: Record<DrawerParam, undefined> = {
  open: undefined,
  tab: undefined,
  confirm: undefined,
  mobileNumber: undefined,
  sendStatus: undefined,
  clientStatus: undefined,
  dealResult: undefined,
  at: undefined,
  atSort: undefined,
};
