/** What producers and workers share: the queue, and nothing else. */
import type { ConnectionOptions } from 'bullmq';

export const queueName = 'installments';

export const connection: ConnectionOptions = { url: process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379' };
