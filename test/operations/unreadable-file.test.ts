import { chmod, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compiledSource, runNode } from '../helpers/compiled.js';
import { demo, files, invoiceUpload } from '../helpers/samples.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unreadable-'));
  await chmod(folder, 0o755);
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function locked(name: string, size = files.pdf.length): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, files.pdf);
  const handle = await open(path, 'r+');
  await handle.truncate(size);
  await handle.close();
  await chmod(path, 0o000);
  return path;
}

/** The refusals of uploads in a process that cannot read the files: root gives up its rights first. */
async function refusalsOf(paths: readonly string[]): Promise<unknown> {
  const uploads = paths.map((path) => ({ ...invoiceUpload(), file: { path } }));
  const script = `
    import { InstallmentClient } from '${compiledSource('entries/index.js')}';
    const fetch = () => Promise.reject(new Error('sent'));
    const client = new InstallmentClient({ ...${JSON.stringify(demo)}, fetch });
    if (process.getuid() === 0) process.seteuid(65534);
    const refusals = ${JSON.stringify(uploads)}.map((upload) => client.uploadInvoice(upload).catch((error) => error));
    const told = (await Promise.all(refusals)).map(({ issues, cause }) => ({ issues, code: cause?.code }));
    console.log(JSON.stringify(told));`;
  return JSON.parse(await runNode(script));
}

test('a file without read permission is refused with its path, and a huge file is not even opened', async () => {
  const path = await locked('locked.pdf');
  const huge = await locked('huge.pdf', 1024 ** 4);

  expect(await refusalsOf([path, huge])).toMatchObject([
    {
      issues: [{ path: ['file'], message: `cannot be read: EACCES: permission denied, open '${path}'` }],
      code: 'EACCES',
    },
    { issues: [{ resultStatus: 'FILE_TOO_LARGE' }] },
  ]);
});
