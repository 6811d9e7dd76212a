import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeAuthority, makeCertificate } from '../faults/certificate.js';
import { compiledSource, processTimeoutMs } from '../helpers/compiled.js';
import { recordingServer, type RecordingServer } from '../helpers/recording-server.js';
import { approvedInvoice, approvedPayment, demo, files, paymentRequest } from '../helpers/samples.js';

const answerTo = (path = '') =>
  JSON.stringify(path.endsWith('upload-invoice') ? approvedInvoice() : approvedPayment());

const folder = mkdtempSync(join(tmpdir(), 'descriptors-'));
const authority = makeAuthority();
const secure = https.createServer(
  makeCertificate({ host: '127.0.0.1', issuer: authority }),
  (request, response) => {
    request.resume().on('end', () => response.end(answerTo(request.url)));
  },
);
let plain: RecordingServer;
beforeAll(async () => {
  writeFileSync(join(folder, 'ca.pem'), authority.cert);
  plain = await recordingServer((socket, { path }) => {
    const answer = answerTo(path);
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${String(Buffer.byteLength(answer))}\r\n\r\n${answer}`);
  });
  await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await plain.close();
  secure.closeAllConnections();
  await new Promise((resolve) => secure.close(resolve));
  rmSync(folder, { recursive: true });
});

type Operation = 'initiatePayment' | 'uploadInvoice';

/** Runs calls in a process that can open 512 files: first with all of them open, and then with all closed. */
async function exhausted(
  baseUrl: string,
  operations: readonly Operation[],
  isFirst: boolean,
): Promise<unknown> {
  const script = `
    import { closeSync, openSync } from 'node:fs';
    import { InstallmentClient } from '${compiledSource('entries/index.js')}';
    const client = new InstallmentClient(${JSON.stringify({ ...demo, baseUrl, maxRetries: 1 })});
    const requests = {
      initiatePayment: () => client.initiatePayment(${JSON.stringify(paymentRequest())}),
      uploadInvoice: () => client.uploadInvoice({
        referenceId: 'ORDER:2026-0001',
        invoiceNumber: 'INV-1',
        file: Buffer.from('${files.pdf.toString('base64')}', 'base64'),
      }),
    };
    const told = [];
    const call = (operation) => requests[operation]().then(
      ({ resultStatus }) => told.push(resultStatus),
      ({ name, code, outcome, $metadata }) =>
        told.push([name, code, outcome, ...($metadata?.attempts ?? []).map(({ error }) => error)].join(' ')),
    );
    if (!${String(isFirst)}) await call('uploadInvoice');
    // The connection of an upload is closed after it, which frees a descriptor.
    await new Promise((closed) => setTimeout(closed, 100));
    const open = [];
    try { for (;;) open.push(openSync('/dev/null')); } catch {}
    for (const operation of ${JSON.stringify(operations)}) await call(operation);
    for (const descriptor of open) closeSync(descriptor);
    for (const operation of ${JSON.stringify(operations)}) await call(operation);
    console.log(JSON.stringify(told));`;
  const command = `ulimit -n 512 && exec "$0" --input-type=module --eval "$1"`;
  const { stdout } = await promisify(execFile)('sh', ['-c', command, process.execPath, script], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') },
    timeout: processTimeoutMs / 2,
  });
  return JSON.parse(stdout);
}

describe('a process that has run out of file descriptors', () => {
  const notSent = /^ConnectionError CONNECTION not_sent EMFILE \(connect\) EMFILE \(connect\)$/;

  test.each<readonly [string, 'http' | 'https', boolean]>([
    ['at the first call of a client over https', 'https', true],
    ['after a call over http', 'http', false],
  ])(
    'sends nothing %s, retries the request, and works again afterwards with the same client',
    async (_title, scheme, isFirst) => {
      const { port } = secure.address() as AddressInfo;
      const url = scheme === 'http' ? plain.url : `https://127.0.0.1:${String(port)}`;
      const told = await exhausted(url, ['uploadInvoice', 'initiatePayment'], isFirst);
      expect(told).toEqual([
        ...(isFirst ? [] : ['APPROVED']),
        expect.stringMatching(notSent),
        expect.stringMatching(notSent),
        'APPROVED',
        'APPROVED',
      ]);
    },
    processTimeoutMs,
  );
});
