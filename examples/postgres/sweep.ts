/**
 * A safety net: queues jobs again that have no end and that no run owns. They are there if a process died between two
 * statements of a run, or if somebody has emptied pg-boss. Run it every minute, on as many machines as you like.
 */
import type { Pool } from 'pg';
import type { Boss } from './boss.js';

export async function sweep(database: Pool, boss: Boss, olderThanMs = 60_000): Promise<void> {
  const { rows } = await database.query<{ id: string }>(
    `SELECT id FROM payment_jobs
     WHERE ended IS NULL AND greatest(added_at, locked_until) < now() - $1 * interval '1 millisecond'
     ORDER BY added_at LIMIT 500`,
    [olderThanMs],
  );
  for (const { id } of rows) await boss.enqueue(id);
}
