import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { InstallmentClient } from '../../src/entries/index.js';
import { createMockService, samplePaymentRequest } from '../../src/entries/mock.js';
import { closeUnread } from '../../src/operations/read-file.js';
import { files } from '../helpers/samples.js';

describe('a source that is passed to two uploads', () => {
  const pieces = [files.pdf, ...Array.from({ length: 9 }, () => Buffer.alloc(1000, 'a'))];
  async function* generator(): AsyncGenerator<Uint8Array> {
    for (const piece of pieces) {
      yield piece;
      await Promise.resolve();
    }
  }
  const wrongReference = 'referenceId: must be 1 to 60 characters';
  const messageOf = (error: unknown) => (error instanceof Error ? error.message : error);

  test.each([
    ['a generator', 'ORDER-1', 'file: is a stream that is already being read, or was read before', generator],
    ['a generator, the second time with another wrong field', '', wrongReference, generator],
    ['a Node stream', 'ORDER-1', 'already being read, or was read before', () => Readable.from(pieces)],
    [
      'a Node stream, the second time with another wrong field',
      '',
      wrongReference,
      () => Readable.from(pieces),
    ],
  ])('is read by the first upload, and refused to the second: %s', async (_name, other, message, make) => {
    const mock = createMockService({ uploads: 'any' });
    const client = new InstallmentClient(mock.clientOptions());
    const referenceId = 'ORDER-1';
    await client.initiatePayment(samplePaymentRequest({ referenceId }));
    const file = make();
    const [first, second] = await Promise.all([
      client.uploadInvoice({ referenceId, file }),
      client.uploadInvoice({ referenceId: other, file }).catch(messageOf),
    ]);

    expect(first.resultStatus).toBe('APPROVED');
    expect(mock.invoices.all().map((invoice) => invoice.file?.size)).toEqual([files.pdf.length + 9000]);
    expect(second).toContain(message);
    expect(await client.uploadInvoice({ referenceId, file }).catch(messageOf)).toContain(
      'already being read, or was read before',
    );
  });
});

describe('the stream of a file that is not read', () => {
  test('is closed by the return of its iterator', () => {
    let ended = 0;
    const iterator = {
      [Symbol.asyncIterator]: () => iterator,
      next: () => Promise.resolve({ done: true as const, value: undefined }),
      return: () => Promise.resolve({ done: true as const, value: ++ended }),
    };
    closeUnread(iterator);
    expect(ended).toBe(1);
  });
});

test('an object that makes a new iterator each time can be uploaded again', async () => {
  const client = new InstallmentClient(createMockService({ uploads: 'any' }).clientOptions());
  const referenceId = 'ORDER-1';
  await client.initiatePayment(samplePaymentRequest({ referenceId }));
  let made = 0;
  const file = {
    [Symbol.asyncIterator]: () => {
      made += 1;
      return Readable.from([files.pdf])[Symbol.asyncIterator]();
    },
  };
  for (const invoiceNumber of ['1', '2'])
    await expect(client.uploadInvoice({ referenceId, invoiceNumber, file })).resolves.toHaveProperty(
      'invoiceId',
    );
  expect(made).toBe(2);
});
