import * as newest from 'bullmq';
import * as lowest from 'bullmq-lowest';

/** The ends of the peer range. `alias` makes a bundled program use that one. */
export const versions = [
  { version: 'the newest BullMQ', bullmq: newest, alias: {} },
  // The types of two versions differ in parts that no test uses.
  {
    version: 'the lowest BullMQ of the peer range',
    bullmq: lowest as unknown as typeof newest,
    alias: { bullmq: 'bullmq-lowest' },
  },
] as const;
