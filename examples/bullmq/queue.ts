/** The queue, which is all that producers and workers share. */
import type { ConnectionOptions } from 'bullmq';

export const queueName = 'installments';

export const connection: ConnectionOptions = { url: process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379' };
