import { EventEmitter } from 'node:events';
import { describe, expect, test } from 'vitest';
import { runCommandLine } from '../../../src/workbench/cli/run.js';
import { createMockService } from '../../../src/entries/mock.js';
import { connectMock } from '../../../src/entries/remote.js';
import { version } from '../../../src/version.js';
import { initiate, order } from '../../helpers/signed-requests.js';
import { paste, runOnce } from './support.js';

describe('a wrong command line', () => {
  const numbers = 'must be a whole number from';
  const secretEnv = 'INSTALLMENT_SECRET_KEY, not the secret key itself.';
  const unset = `is not set, or is empty: --secret-env needs the name of an environment variable, such as ${secretEnv}`;
  const notAName = `--secret-env needs the name of an environment variable, such as ${secretEnv}`;
  const nowhere = '/nowhere/at/all';
  const httpUrl = 'must be an http or https URL without credentials.';
  const kinds = 'payment, invoice, signature or notification';

  test.each<[string[], string]>([
    [[], 'A command is missing: demo, mock, explain, rehearse, probe or schema.'],
    [['serve'], "Unknown command 'serve': the commands are demo, mock, explain, rehearse, probe or schema."],
    [
      ['\u001b[2J'],
      "Unknown command '\\u{1b}[2J': the commands are demo, mock, explain, rehearse, probe or schema.",
    ],
    [['mock', '--prot', '1'], "Unknown option '--prot': did you mean --port?"],
    [['mock', '--webhok=x'], "Unknown option '--webhok': did you mean --webhook?"],
    [['mock', '-x'], "Unknown option '-x'."],
    [['mock', '--\u001b'], "Unknown option '--\\u{1b}'."],
    [['mock', '--port', '65536'], `--port ${numbers} 0 to 65535.`],
    [['mock', '--port', '1x'], `--port ${numbers} 0 to 65535.`],
    [['mock', '--host='], '--host must be a host name or an IP address without a zone.'],
    [['mock', '--config', nowhere], `Cannot read ${nowhere} (ENOENT).`],
    [['mock', '--webhook', 'shop'], `webhook.url ${httpUrl}`],
    [['mock', '--public-url', 'http://mock/?a'], 'publicUrl must not have a query or a fragment.'],
    [
      ['mock', '--allow-host', 'http://mock'],
      'allowedHosts[0] must be a host name without a port, such as mock or mock.test.',
    ],
    [['mock', '--world', 'slow'], "Unknown option '--world': did you mean --scenario?"],
    [['mock', '--order-url', 'x'], "Unknown option '--order-url', which belongs to rehearse."],
    [['explain'], `explain needs a kind as its first argument: ${kinds}.`],
    [['explain', '--invoice'], `explain needs a kind as its first argument: ${kinds}.`],
    [['explain', 'paymnt', 'a'], "Unknown kind 'paymnt': did you mean payment?"],
    [['explain', '\u001b'], `Unknown kind '\\u{1b}': the kinds are ${kinds}.`],
    [['explain', 'payment'], 'explain payment needs one FILE.'],
    [['explain', 'payment', 'a', 'b'], 'explain payment needs one FILE.'],
    [
      ['explain', 'payment', 'a', '--invoice'],
      "Unknown option '--invoice', which belongs to explain signature.",
    ],
    [
      ['explain', 'payment', 'a', '--headers', 'h'],
      "Unknown option '--headers', which belongs to explain notification.",
    ],
    [
      ['explain', 'payment', 'a', '--absent-fields', 'omit'],
      "Unknown option '--absent-fields', which belongs to explain invoice and explain signature.",
    ],
    [
      ['explain', 'payment', 'a'],
      '--secret-env is missing: name the environment variable that contains the secret key.',
    ],
    [
      ['explain', 'notification', 'a', '--secret-env', 'KEY'],
      '--headers is missing: pass the file with the headers of the webhook.',
    ],
    [['explain', 'payment', 'a', '--secret-env', 'NOPE'], `The environment variable NOPE ${unset}`],
    [['explain', 'payment', 'a', '--secret-env', 'EMPTY'], `The environment variable EMPTY ${unset}`],
    [['explain', 'payment', 'a', '--secret-env', 'demo-secret'], notAName],
    [
      ['explain', 'payment', 'a', '--secret-env', 'KEY', '--signature-encoding', 'utf8'],
      "--signature-encoding must be 'hex', 'hex-upper', 'base64' or 'base64url'.",
    ],
    [
      ['explain', 'invoice', 'a', '--secret-env', 'KEY', '--absent-fields', 'none'],
      "--absent-fields must be 'empty' or 'omit'.",
    ],
    [
      ['explain', 'payment', 'a', '--secret-env', 'KEY', '--secret-encoding', 'hex'],
      "The environment variable KEY must be an even number of hex digits, because secretKeyEncoding is 'hex'.",
    ],
    [['explain', 'payment', nowhere, '--secret-env', 'KEY'], `Cannot read ${nowhere} (ENOENT).`],
    [
      ['explain', 'signature', 'a', '--secret-env', 'KEY'],
      '--received is missing: pass the Signature header of the request that the service refused.',
    ],
  ])('%j gets one line, and exit code 1', async (args, message) => {
    const { code, out, error } = await runOnce(args, { KEY: 'secret', EMPTY: '' });
    const [command = ''] =
      /^(?:mock|explain(?: payment| invoice| signature| notification)?)\b/.exec(args.join(' ')) ?? [];
    const help = ['installment-payments', command, '--help'].filter((word) => word !== '').join(' ');
    expect({ code, out, error }).toEqual({ code: 1, out: '', error: `${message} See ${help}.` });
  });

  test.each([
    [['mock', 'now'], /^Unexpected argument 'now'\. This/],
    [['mock', '--port'], /^Option '--port <value>' argument missing\. See/],
    [['mock', '--port', '-x'], /^Option '--port' argument is ambiguous\. See/],
    [['mock', '--json=\u001b'], /'--json/],
  ])("%j gets the first sentence of Node's message", async (args, words) => {
    const { code, out, error } = await runOnce(args);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(error).toMatch(words);
    expect(error).toMatch(/^[^\n\u001b]+[^.]\. See installment-payments mock --help\.$/);
  });

  test('is not a request for help if --help comes after --', async () => {
    const { code, out, error } = await runOnce(['rehearse', '--settle-ms', '0', '--', 'true', '--help']);
    expect(code).toBe(2);
    expect(out).not.toContain('Usage');
    expect(error).toContain('sent no request');
  });

  test('is not an error of the program itself, which is thrown', async () => {
    const broken = Object.assign(new Error('broken'), { code: 'EIO' });
    const io = {
      env: { KEY: 'k' },
      signals: new EventEmitter(),
      get input(): never {
        throw broken;
      },
      inputIsPipe: false,
      parentId: () => 1,
      out: () => undefined,
      error: () => undefined,
    };
    const args = ['explain', 'payment', '-', '--secret-env', 'KEY'];
    await expect(runCommandLine(args, io)).rejects.toBe(broken);
  });
});

test.each(['--version', '-v'])('%s prints the version', async (flag) => {
  expect(await runOnce([flag])).toEqual({ code: 0, out: version, error: '' });
});

describe('the help', () => {
  test.each([['--help'], ['-h'], ['unknown', '--help']])(
    'for %s lists the commands, one line each',
    async (...args) => {
      const { code, out } = await runOnce(args);
      expect(code).toBe(0);
      expect(out).toMatch(/^ {2}mock +Serves the mock of the whole service$/m);
      expect(out).toMatch(
        /^ {2}explain +Shows how a request or a webhook is signed, or why a signature is wrong$/m,
      );
      expect(out).not.toContain('--port');
    },
  );

  test('of mock has commands that pay and break a payment when pasted', async () => {
    const { out } = await runOnce(['mock', '--help']);
    const commands = out.match(/^ {2}curl .*\\\n.*$/gm) ?? [];
    expect(commands).toHaveLength(3);
    await using server = await createMockService().listen();
    const mock = connectMock(server.url);
    const { path, init } = initiate(order({ referenceId: 'ORDER-1' }));
    await fetch(server.url + path, init);
    const here = commands.map((command) => command.replace('http://127.0.0.1:4010', server.url));
    for (const command of here) await paste(command.replace('curl ', 'curl --silent '));

    expect(await mock.payments.get('ORDER-1')).toMatchObject({ status: 'paid' });
    const next = initiate(order({ referenceId: 'ORDER-2' }));
    await expect(fetch(server.url + next.path, next.init)).rejects.toThrow();
    const [refused] = await mock.journal.filter({ referenceId: 'ORDER-2' });
    expect(refused).toMatchObject({ fault: 'connection-reset', resultStatus: 'INVALID_AMOUNT' });
  });
});
