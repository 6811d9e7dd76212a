import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { nodeTransport } from '../src/http/node-transport.js';
import * as api from '../src/index.js';
import { transmitting } from './http/transmission.js';
import { responseOf, textOf, wireRequest } from './http/transport.contract.js';
import { fileOf } from './helpers/parse-multipart.js';
import { approvedInvoice, demo, files, invoiceUpload } from './helpers/samples.js';
import { scriptedFetch, sentParts } from './helpers/scripted-fetch.js';

// Tests that load the package once more. They stand apart, because a mutation run has a pass of its own for such code.

beforeEach(() => {
  vi.resetModules();
});

describe('two copies of the package in one process', () => {
  it('know the errors of each other, and only their own kind', async () => {
    const init = { outcome: 'unknown', retryable: false } as const;
    const copy = await import('../src/index.js');
    expect(copy.InstallmentError).not.toBe(api.InstallmentError);
    const theirs = new copy.TimeoutError('late', init);
    expect(theirs).toBeInstanceOf(api.TimeoutError);
    expect(theirs).toBeInstanceOf(api.InstallmentError);
    expect(theirs).toBeInstanceOf(Error);
    expect(theirs).not.toBeInstanceOf(api.ValidationError);
    expect(theirs).not.toBeInstanceOf(api.ResultError);
    expect(api.isInstallmentError(theirs)).toBe(true);
    expect(new api.TimeoutError('late', init)).toBeInstanceOf(copy.TimeoutError);
    const duplicate = new copy.DuplicateReferenceIdError('initiatePayment', init);
    expect(duplicate).toBeInstanceOf(api.DuplicateReferenceIdError);
    expect(duplicate).toBeInstanceOf(api.ResultError);
    expect(duplicate).not.toBeInstanceOf(api.GeneralError);
  });

  it('share their connections, which close after 4 s without use', async () => {
    let connections = 0;
    const server = http.createServer((request, response) => {
      request.resume().on('end', () => response.end('ok'));
    });
    server.on('connection', () => (connections += 1));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    const copy = await import('../src/http/node-transport.js');
    expect(copy.nodeTransport).not.toBe(nodeTransport);
    for (const transport of [nodeTransport(), copy.nodeTransport()]) {
      expect(textOf(responseOf(await transmitting(transport)(wireRequest({ url })).result))).toBe('ok');
    }
    expect(connections).toBe(1);
    const agents: unknown = Reflect.get(globalThis, Symbol.for('installment-payments.agents'));
    const options = { keepAlive: true, timeout: 4_000 };
    expect(agents).toMatchObject({ http: { options }, https: { options } });
    expect(Reflect.get(Object(agents), 'https')).toBeInstanceOf(https.Agent);
    server.closeAllConnections();
    server.close();
  });
});

it('a buffer that is changed while the first upload of a process loads what it needs goes out as it was', async () => {
  const { InstallmentClient } = await import('../src/index.js');
  const bytes = Buffer.from(files.pdf);
  const { fetch, requests } = scriptedFetch(() => Response.json(approvedInvoice()));
  const call = new InstallmentClient({ ...demo, fetch }).uploadInvoice(invoiceUpload({ file: bytes }));
  bytes.fill(0);
  await call;
  const [sent] = requests;
  if (!sent) throw new Error('a request was expected');
  expect(fileOf(await sentParts(sent)).bytes.equals(files.pdf)).toBe(true);
});
