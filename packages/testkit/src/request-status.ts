import { type Agent, get } from 'node:http';

/** The HTTP status of a GET, over the connections of an agent; the body is read and left. */
export const requestStatus = (agent: Agent, url: string): Promise<number> =>
  new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
    }).once('error', reject);
  });
