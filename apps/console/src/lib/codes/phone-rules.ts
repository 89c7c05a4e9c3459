export { parseMsisdn } from '@pahatid/domain';
