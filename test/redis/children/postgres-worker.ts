/** A worker of the example with PostgreSQL, which is killed at random. It writes a byte once it works. */
import { startWorker } from '../../../examples/postgres/worker.js';

await startWorker(process.env['DATABASE_URL'] ?? '', Number(process.env['CLAIM_MS']));
process.stdout.write('.');
