import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compiledSource, processTimeoutMs, runNode } from '../helpers/compiled.js';
import { files } from '../helpers/samples.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'invoices-'));
  writeFileSync(join(folder, 'invoice.pdf'), files.pdf);
  writeFileSync(join(folder, 'page.xml'), '<div>a<br></div>');
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/**
 * Passes each kind of file 100 times, with streams of files that are accepted, that are refused and that do not exist.
 */
const script = () => `
  import { createReadStream, readdirSync } from 'node:fs';
  import { Readable } from 'node:stream';
  import { setTimeout as pause } from 'node:timers/promises';
  import { InstallmentClient } from '${compiledSource('entries/index.js')}';

  const base = { baseUrl: 'https://pay.example', clientId: 'demo-client', secretKey: 'demo-secret', maxRetries: 0 };
  const fetch = async () => { throw new Error('no network'); };
  const client = new InstallmentClient({ ...base, merchantId: 'M', fetch });
  const beforeSend = () => Promise.reject(new Error('no'));
  const stopped = new InstallmentClient({ ...base, merchantId: 'M', hooks: { beforeSend } });
  const bare = new InstallmentClient(base);
  const upload = (file, more) => [{ referenceId: 'R', file, ...more }];
  const shapes = {
    'a wrapper': (s) => upload({ data: s, filename: 'a.pdf' }),
    'a web stream': (s) => upload(Readable.toWeb(s)),
    'an iterator of a stream': (s) => upload(s[Symbol.asyncIterator]()),
    'another wrong field': (s) => upload(s, { referenceId: '' }),
    'wrong options': (s) => [{ referenceId: 'R', file: s }, { maxRetries: -1 }],
    'a signal that is aborted already': (s) => [{ referenceId: 'R', file: s }, { signal: AbortSignal.abort() }],
    'no merchantId': (s) => [{ referenceId: 'R', file: s }, undefined, bare],
    'a hook that rejects': (s) => [{ referenceId: 'R', file: s }, undefined, stopped],
    'no network': (s) => [{ referenceId: 'R', file: s }],
  };
  const paths = ${JSON.stringify(['invoice.pdf', 'page.xml', 'missing.pdf'].map((name) => join(folder, name)))};
  const descriptors = () => readdirSync('/proc/self/fd').length;
  const left = [];
  for (const [name, make] of Object.entries(shapes)) {
    const handOver = (count) => Promise.all(Array.from({ length: count }, (_, index) => {
      const [request, options, other = client] = make(createReadStream(paths[index % paths.length]));
      return other.uploadInvoice(request, options).then(
        () => left.push(name + ' was accepted'),
        (error) => { if (error.outcome === undefined) left.push(name + ': ' + error); },
      );
    }));
    // Descriptors that Node opens for itself at a first use are not a leak.
    await handOver(paths.length);
    await pause(20);
    const before = descriptors();
    await handOver(100);
    for (let wait = 0; wait < 500 && descriptors() > before; wait++) await pause(20);
    if (descriptors() > before) left.push(name + ' leaves ' + (descriptors() - before) + ' open');
  }
  console.log(JSON.stringify([Object.keys(shapes).length, left]));`;

describe('the stream of a valid file', () => {
  test(
    'is closed however the call ends: 100 of each kind leave no descriptor, and the process keeps running',
    async () => {
      expect(JSON.parse(await runNode(script()))).toEqual([9, []]);
    },
    processTimeoutMs,
  );
});
