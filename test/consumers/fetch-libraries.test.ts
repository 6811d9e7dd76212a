import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { evaluate, toolbox } from '../package/support.js';

const { consumer } = inject('packed');

const sending = (library: string) => `
  import { createRequire } from 'node:module';
  import { InstallmentClient } from 'installment-payments';
  import { createMockService, samplePaymentRequest } from 'installment-payments/mock';

  const load = createRequire(${JSON.stringify(join(toolbox, 'package.json'))});
  const loaded = await import(load.resolve(${JSON.stringify(library)}));
  const fetch = loaded.default?.default ?? loaded.default ?? loaded.fetch;
  const mock = createMockService();
  const server = await mock.listen();
  const client = new InstallmentClient({ ...mock.clientOptions(), baseUrl: server.url, fetch });
  const { outcome, nextStep, message } = await client.initiatePayment(samplePaymentRequest()).catch((error) => error);
  await server.close();
  console.log(JSON.stringify([outcome, nextStep, message, mock.journal.all().length]));`;

test.each(['node-fetch-2', 'node-fetch-3', 'cross-fetch', 'minipass-fetch'])(
  'the client names %s, which sends a stream of the platform as text, and sends the request once',
  async (library) => {
    expect(await evaluate(sending(library), 'module', consumer)).toEqual([
      'unknown',
      'look_up',
      expect.stringContaining('the option fetch does not accept a stream'),
      1,
    ]);
  },
);
