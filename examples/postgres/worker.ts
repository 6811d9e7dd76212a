/**
 * One worker, from `DATABASE_URL` and the client's variables: INSTALLMENT_BASE_URL, _CLIENT_ID, _SECRET_KEY,
 * _MERCHANT_ID, _STORE_ID, _PLATFORM_ID.
 * Run as many as you like, and kill them whenever you like.
 */
import { pathToFileURL } from 'node:url';
import { InstallmentClient } from 'installment-payments';
import { createSender } from 'installment-payments/queue';
import { Pool } from 'pg';
import { startBoss } from './boss.js';
import { runJob } from './run-job.js';
import { sweep } from './sweep.js';

export async function startWorker(connectionString: string, claimMs = 60_000): Promise<() => Promise<void>> {
  const database = new Pool({ connectionString });
  database.on('error', console.error);
  const boss = await startBoss(connectionString);
  const send = createSender({
    client: new InstallmentClient(),
    // Your shop makes the file, or reads it from its storage.
    loadFile: (file) => Buffer.from(`<invoice order="${String(file)}"/>`),
  });
  await boss.work(async (id) => {
    const seconds = await runJob(database, send, id, claimMs);
    if (seconds !== undefined) await boss.enqueue(id, { seconds });
  });
  const sweeper = setInterval(() => void sweep(database, boss, claimMs).catch(console.error), claimMs);
  return async () => {
    clearInterval(sweeper);
    await boss.stop();
    await database.end();
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const stop = await startWorker(
    process.env['DATABASE_URL'] ?? '',
    Number(process.env['CLAIM_MS'] ?? 60_000),
  );
  process.once('SIGTERM', () => void stop());
  console.log('a worker takes jobs');
}
