const ADDRESS = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^@/?#]+)(.*)$/s;

/**
 * The addresses of the servers in one address, as libpq writes several: `postgres://user@db1:5432,db2/pahatid`. One for an
 * address of one server.
 */
export function splitHosts(url: string): string[] {
  const [, scheme = '', hosts = '', rest = ''] = ADDRESS.exec(url) ?? [];
  if (!hosts.includes(',')) return [url];
  return hosts.split(',').map((host) => `${scheme}${host}${rest}`);
}
