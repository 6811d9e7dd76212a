import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { freePort } from '../helpers/free-port.js';
import { cleanEnvironment, runWithTsx } from './run-example.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
// This is preloaded, so that the names of the containers are names of this machine.
const script = `import dns from 'node:dns';
const { lookup } = dns;
dns.lookup = (host, ...rest) => lookup(['mock', 'shop'].includes(host) ? '127.0.0.1' : host, ...rest);`;
const names = `--import data:text/javascript,${encodeURIComponent(script)}`;

/** The commands of compose.yaml in two processes. `mock` and `shop` are names of this machine. */
test('a shop pays, opens the page, gets the webhook and uploads, with the host name of a container for the mock', async () => {
  const [port, shopPort] = [await freePort(), await freePort()];
  const args = [
    ...['mock', '--host', '0.0.0.0', '--port', String(port)],
    ...[`--public-url=http://mock:${String(port)}`, `--webhook=http://shop:${String(shopPort)}/webhooks`],
  ];
  const mock = spawn(process.execPath, ['--import', 'tsx', 'src/workbench/cli/main.ts', ...args], {
    cwd: root,
    env: cleanEnvironment({ NODE_OPTIONS: names }),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  createInterface(mock.stdout).on('line', (line) => lines.push(line));
  try {
    const { code, stdout, stderr } = await runWithTsx('examples/containers/shop.ts', [], {
      NODE_OPTIONS: names,
      PORT: String(shopPort),
      INSTALLMENT_BASE_URL: `http://mock:${String(port)}`,
      INSTALLMENT_ALLOW_INSECURE_HTTP: '1',
      INSTALLMENT_CLIENT_ID: 'demo-client',
      INSTALLMENT_SECRET_KEY: 'demo-secret',
      INSTALLMENT_MERCHANT_ID: 'DEMO-MERCHANT',
      INSTALLMENT_STORE_ID: 'STORE-01',
      INSTALLMENT_PLATFORM_ID: 'WEBSHOP',
    });

    expect(`${stdout}${stderr}`).toContain(`page     http://mock:${String(port)}/pay/00000001`);
    const sum = '{"value":12000000,"currency":"VND"}';
    expect(stdout).toContain(
      `paid     [{"orderId":"ORDER-1","referenceId":"ORDER-1-1","amount":${sum},"state":"paid","paidAmount":${sum},"paidAt":"`,
    );
    expect(stdout).toMatch(/^invoice {2}INV-/m);
    expect(code).toBe(0);
    expect(lines.join('\n')).toContain(`export INSTALLMENT_BASE_URL='http://mock:${String(port)}'`);
    expect(lines.join('\n')).toMatch(/webhook {2}ORDER-1-1 {2}HTTP 204 {2}\(delivered\)/);
  } finally {
    mock.kill('SIGTERM');
    await once(mock, 'exit');
  }
}, 60_000);

test('the files of the containers have the host, the public address and the webhook of the test above', () => {
  const read = (file: string) => readFileSync(`${root}/examples/containers/${file}`, 'utf8');

  expect(read('Dockerfile')).toContain('"mock", "--host", "0.0.0.0"');
  expect(read('compose.yaml')).toContain('--public-url=http://mock:4010');
  expect(read('compose.yaml')).toContain('--webhook=http://shop:3000/webhooks');
});
