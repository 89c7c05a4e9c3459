/** Queries of senders for the receipts that carriers did not send. */
import { countBySupplier } from './count-by-supplier.ts';

export const countQuery = countBySupplier(
  'pahatid_queries_total',
  'query_sm sent for parts of messages without a final receipt.',
);

/** `state`: stat value of the message, or `refused`, or `unanswered`. */
export const countQueryAnswer = countBySupplier(
  'pahatid_query_answers_total',
  'Answers to query_sm by the state of the message, refused and unanswered ones included.',
  'state',
);
