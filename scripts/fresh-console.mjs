/** `node --import ./scripts/fresh-console.mjs FILE`: what FILE shows is the console of the present sources. */
import { buildConsole } from './build-console.mjs';

buildConsole();
