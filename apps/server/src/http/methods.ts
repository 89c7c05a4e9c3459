import { apiPrefix, routes } from '@pahatid/contract';

const patterns = Object.keys(routes).map((key) => {
  const [method = '', path = ''] = key.split(' ');
  return { method, pattern: new RegExp(`^${apiPrefix}${path.replace(/:\w+/g, '[^/]+')}/?$`) };
});

/** Methods that the contract has for an address; empty for an address that it does not know. */
export const allowedMethods = (address: string): string[] => [
  ...new Set(patterns.filter(({ pattern }) => pattern.test(address)).map(({ method }) => method)),
];
