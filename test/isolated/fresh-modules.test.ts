import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { nodeTransport } from '../../src/http/node-transport.js';
import * as api from '../../src/entries/index.js';
import { transmitting } from '../http/transmission.js';
import { responseOf, textOf, wireRequest } from '../http/transport.contract.js';

// Tests that load the package once more. They stand apart, because a mutation run has a pass of its own for such code.

beforeEach(() => {
  vi.resetModules();
});

describe('two copies of the package in one process', () => {
  it('know the errors of each other, and only their own kind', async () => {
    const known = { outcome: 'unknown', retryable: false, nextStep: 'look_up', action: 'Look.' } as const;
    const late = { message: 'late', fields: { ...known, code: 'TIMEOUT' }, facts: {} };
    const copy = await import('../../src/entries/index.js');
    expect(copy.InstallmentError).not.toBe(api.InstallmentError);
    const theirs = new copy.TimeoutError(late);
    expect(theirs).toBeInstanceOf(api.TimeoutError);
    expect(theirs).toBeInstanceOf(api.InstallmentError);
    expect(theirs).toBeInstanceOf(Error);
    expect(theirs).not.toBeInstanceOf(api.ValidationError);
    expect(theirs).not.toBeInstanceOf(api.ResultError);
    expect(api.isInstallmentError(theirs)).toBe(true);
    expect(new api.TimeoutError(late)).toBeInstanceOf(copy.TimeoutError);
    const duplicate = new copy.DuplicateReferenceIdError(late);
    expect(duplicate).toBeInstanceOf(api.DuplicateReferenceIdError);
    expect(duplicate).toBeInstanceOf(api.ResultError);
    expect(duplicate).not.toBeInstanceOf(api.GeneralError);
  });

  it('refuse a stream that the other one reads', async () => {
    const copy = await import('../../src/entries/index.js');
    const { createMockService, samplePaymentRequest } = await import('../../src/entries/mock.js');
    const mock = createMockService({ uploads: 'any' });
    const first = new api.InstallmentClient(mock.clientOptions());
    const second = new copy.InstallmentClient(mock.clientOptions());
    const referenceId = 'ORDER-1';
    await first.initiatePayment(samplePaymentRequest({ referenceId }));
    async function* pieces() {
      for (const piece of ['%PDF-1.4\n', 'one', 'two', 'three']) {
        yield Buffer.from(piece);
        await Promise.resolve();
      }
    }
    const file = pieces();
    const uploads = [first, second].map((client) => client.uploadInvoice({ referenceId, file }));
    const [read, refused] = await Promise.allSettled(uploads);
    expect(read).toMatchObject({ status: 'fulfilled' });
    expect(refused).toMatchObject({ status: 'rejected', reason: { code: 'VALIDATION' } });
    expect(mock.invoices.all().map((invoice) => invoice.file?.size)).toEqual([20]);
  });

  it('share their connections, and what is known about them', async () => {
    let connections = 0;
    const server = http.createServer((request, response) => {
      request.resume().on('end', () => response.end('ok'));
    });
    server.on('connection', () => (connections += 1));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    const copy = await import('../../src/http/node-transport.js');
    expect(copy.nodeTransport).not.toBe(nodeTransport);
    for (const transport of [nodeTransport(), copy.nodeTransport()]) {
      expect(textOf(responseOf(await transmitting(transport)(wireRequest({ url })).result))).toBe('ok');
    }
    expect(connections).toBe(1);
    server.closeAllConnections();
    server.close();
  });
});
