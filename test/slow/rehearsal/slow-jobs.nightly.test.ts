import { afterEach, describe, expect, test } from 'vitest';
import { freePort } from '../../helpers/free-port.js';
import { takeProblems } from '../../helpers/request-watch.js';
import { rehearseCommand } from '../../workbench/rehearsal/rehearse-command.js';
import { slowJobShop, type Work } from '../../workbench/rehearsal/slow-job-shop.js';

// The second reader of the wire records forgeries, because they are wrongly signed on purpose.
afterEach(() => void takeProblems());

/** A tenth of the default, so that jobs of 1, 3 and 10 seconds can be a tenth too. */
const settleMs = 200;

async function rehearsed(work: Work, jobMs: number, ...args: string[]) {
  const port = await freePort();
  const { url, close } = await slowJobShop(`http://127.0.0.1:${port}`, work, jobMs);
  try {
    return await rehearseCommand(
      [
        ...['--port', String(port), '--settle-ms', String(settleMs), '--customer', 'pays'],
        ...['--checkout', `POST ${url}/checkout/{order}`, '--webhook', `${url}/webhook`],
        ...['--order-url', `${url}/orders/{ref}`, '--once', 'shipped: (\\d+)', ...args],
      ],
      {},
    );
  } finally {
    close();
  }
}

describe.concurrent('a correct shop whose job runs after the webhook', { timeout: 600_000 }, () => {
  test.each<[Work, number]>([
    ['uploads', 100],
    ['uploads', 300],
    ['uploads', 1000],
    ['ships and uploads', 300],
    ['ships and uploads', 1000],
    ['counts, ships and uploads', 300],
    ['counts, ships and uploads', 1000],
  ])('has no finding in any default scenario if its job %s after %i ms', async (work, jobMs) => {
    const { code, report, output } = await rehearsed(work, jobMs);
    expect(
      report.findings.filter(({ level }) => level === 'error'),
      output,
    ).toEqual([]);
    const isLate = report.scenarios.some(({ lateRequests }) => lateRequests !== undefined);
    expect([code, report.ok], output).toEqual(isLate ? [2, false] : [0, true]);
  });

  test('gets the advice to wait for its job, and then nothing is late', async () => {
    const { code, output, report } = await rehearsed(
      'uploads',
      1000,
      '--scenarios',
      'slow,extra-fields,sparse-responses',
    );
    const [, names, number = ''] =
      /^LATE REQUESTS arrived in \d scenarios?: (.*)[^]*--settle-ms (\d+)/m.exec(output) ?? [];
    const late = report.scenarios.filter(({ lateRequests }) => lateRequests !== undefined);
    expect(late).not.toEqual([]);
    expect([code, report.ok, names]).toEqual([2, false, late.map(({ name }) => name).join(', ')]);

    const again = await rehearsed('uploads', 1000, '--scenarios', 'slow,extra-fields', '--settle-ms', number);
    expect(again.output).not.toContain('LATE REQUESTS');
    expect(again.report).toMatchObject({ ok: true, findings: [] });
  });
});
