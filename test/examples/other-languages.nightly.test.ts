import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { resultStatuses, signPayment } from '../../src/entries/index.js';
import { createMockService, mockWebhookEventSchema } from '../../src/entries/mock.js';
import { connectMock } from '../../src/entries/remote.js';
import { signWebhook, verifyWebhook } from '../../src/entries/webhooks.js';
import { freePort } from '../helpers/free-port.js';
import { startMock, type MockProcess } from '../workbench/remote/mock-process.js';
import { python, runProgram, startProgram } from './programs.js';
import { cleanEnvironment } from './run-example.js';

const folder = 'examples/other-languages';
const guide = readFileSync('docs/other-languages.md', 'utf8');

const merchants = [
  ['php', 'merchant.php', 'PHP', ['JSON_UNESCAPED_UNICODE', 'JSON_UNESCAPED_SLASHES']],
  [python, 'merchant.py', 'PYTHON', ['separators', 'ensure_ascii']],
  ['sh', 'merchant.sh', 'SHELL', ['line']],
] as const;

function runMerchant(program: string, file: string, url: string) {
  return runProgram(
    [program, `${folder}/${file}`, url],
    cleanEnvironment({ INSTALLMENT_SECRET_KEY: 'demo-secret' }),
  );
}

describe('the merchants in other languages', () => {
  let mock: MockProcess;
  beforeAll(async () => {
    mock = await startMock();
  }, 30_000);
  afterAll(() => mock.stop());

  test.each(
    (['baseline', 'refusals-by-kind', 'extra-fields'] as const).flatMap((scenario) =>
      merchants.map(([program, file, ...rest]) => [program, file, scenario, ...rest] as const),
    ),
  )(
    'in %s %s, in the scenario %s, pay, upload an invoice, and get the reason for a wrong signature',
    async (program, file, scenario, name, advice) => {
      const remote = connectMock(mock.url);
      await remote.reset({ scenario });
      const { code, output } = await runMerchant(program, file, mock.url);
      const refused = await remote.journal.find({ referenceId: `${name}-2` });

      expect(code, output).toBe(0);
      expect(output).not.toMatch(/Warning|Traceback/);
      expect(output).toMatch(/^payment .*APPROVED/m);
      expect(output).toMatch(/^invoice .*APPROVED/m);
      expect(output).toMatch(/^mistake .*INVALID_SIGNATURE/m);
      const sent = await remote.journal.find({ referenceId: `${name}-1`, operation: 'initiatePayment' });
      expect(await remote.payments.get(`${name}-1`)).toMatchObject({
        status: 'paid',
        idempotencyKey: createHash('sha256')
          .update(sent?.body ?? '')
          .digest('hex'),
      });
      expect(await remote.payments.get(`${name}-2`)).toBeUndefined();
      expect(refused).toMatchObject({ resultStatus: 'INVALID_SIGNATURE' });
      for (const word of advice) expect(refused?.diagnosis?.fix).toContain(word);
      // The shell prints the diagnosis as the JSON that came.
      const told = refused?.diagnosis?.fix.slice(0, 60) ?? '';
      expect(output.replaceAll('\\"', '"')).toContain(told);
    },
  );
});

/** A service that redirects each payment and upload, and the server to which it redirects. */
async function redirectingService(status: number) {
  const asked: string[] = [];
  const followed: string[] = [];
  const second = createServer((incoming, response) => {
    followed.push(incoming.url ?? '');
    response.end('{"resultStatus":"APPROVED","paymentUrl":"https://pay.example/1"}');
  });
  const [port, secondPort] = [await freePort(), await freePort()];
  const first = createServer((incoming, response) => {
    incoming.resume();
    const path = incoming.url ?? '';
    if (!path.startsWith('/v2/')) return response.end('{}');
    if (incoming.headers['signature'] !== undefined) asked.push(path);
    return response.writeHead(status, { location: `http://127.0.0.1:${secondPort}${path}` }).end();
  });
  await Promise.all([
    new Promise<void>((resolve) => first.listen(port, '127.0.0.1', resolve)),
    new Promise<void>((resolve) => second.listen(secondPort, '127.0.0.1', resolve)),
  ]);
  const close = () => [first, second].forEach((server) => server.close());
  return { url: `http://127.0.0.1:${port}`, asked, followed, close };
}

const redirects = [301, 302, 303, 307, 308];

describe('redirects in other languages', () => {
  test.each(
    redirects.flatMap((status) => merchants.map(([program, file]) => [program, file, status] as const)),
  )('are not followed by %s %s for HTTP %i, and each request is sent once', async (program, file, status) => {
    const service = await redirectingService(status);
    // The program cannot finish, because there is no mock.
    await runMerchant(program, file, service.url);
    service.close();

    expect(service.asked).toEqual(expect.arrayContaining(['/v2/payments', '/v2/payments/upload-invoice']));
    expect(service.asked.filter((path) => path === '/v2/payments/upload-invoice')).toHaveLength(1);
    expect(service.followed).toEqual([]);
  });

  /** The libraries of the guide's table, configured as in the table. */
  const libraries: Readonly<
    Record<string, readonly [setting: string, program: readonly string[], code: string]>
  > = {
    'Python `requests`': [
      'allow_redirects=False',
      [python, '-c'],
      'import requests, sys\nrequests.post(sys.argv[1], data=b"{}", headers={"Signature": "0"}, SETTING)',
    ],
    'PHP streams, Guzzle': [
      "'follow_location' => 0",
      ['php', '-r'],
      `file_get_contents($argv[1], false, stream_context_create(['http' => ['method' => 'POST', 'content' => '{}', 'header' => 'Signature: 0', SETTING]]));`,
    ],
  };

  test.each(redirects.flatMap((status) => Object.keys(libraries).map((name) => [name, status] as const)))(
    'are not followed by %s, if it is configured as in the guide, for HTTP %i',
    async (name, status) => {
      const [setting, program, code] = libraries[name] ?? ['', [], ''];
      const service = await redirectingService(status);
      await runProgram([...program, code.replace('SETTING', setting), `${service.url}/v2/payments`]);
      service.close();

      expect(guide).toMatch(new RegExp(`^\\| ${name} +\\| \`${setting}\``, 'm'));
      expect(service.asked).toEqual(['/v2/payments']);
      expect(service.followed).toEqual([]);
    },
  );

  test('are not followed by the HttpClient of Java by default', async () => {
    const service = await redirectingService(307);
    const file = join(mkdtempSync(join(tmpdir(), 'languages-')), 'Post.java');
    writeFileSync(
      file,
      `import java.net.URI;
      import java.net.http.*;
      class Post {
        public static void main(String[] args) throws Exception {
          var request = HttpRequest.newBuilder(URI.create(args[0])).header("Signature", "0")
            .POST(HttpRequest.BodyPublishers.ofString("{}")).build();
          HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        }
      }`,
    );
    const { code, output } = await runProgram(['java', file, `${service.url}/v2/payments`]);
    service.close();

    expect(code, output).toBe(0);
    expect(service.asked).toEqual(['/v2/payments']);
    expect(service.followed).toEqual([]);
  });
});

test.each(['service.php', 'service.py'])(
  'in %s treat the documented refusals as refusals, and no other response',
  (file) => {
    const source = readFileSync(`${folder}/${file}`, 'utf8');
    const list = /REFUSALS = ([^]*?)(?:\];|"""\.split)/.exec(source)?.[1] ?? '';
    const rejected = Object.values(resultStatuses)
      .flatMap((table) => Object.entries(table))
      .filter(([, { outcome }]) => outcome === 'rejected');

    expect(new Set(list.match(/\b[A-Z_]{5,}\b/g))).toEqual(new Set(rejected.map(([name]) => name)));
  },
);

test('the guide names every file that the examples read or load, so that a copy of them runs', () => {
  const sources = readdirSync(folder).filter((name) => /\.(?:php|py|sh)$/.test(name));
  const used = sources.flatMap((name) => {
    const code = readFileSync(join(folder, name), 'utf8');
    const files = [...code.matchAll(/[\w-]+\.(?:json|pdf)/g)].map(([file]) => file);
    const modules = [...code.matchAll(/^(?:from|import) (service)\b/gm)].map(([, module]) => `${module}.py`);
    return [...files, ...modules];
  });
  const list = guide.slice(0, guide.indexOf('## A payment'));

  expect(new Set(used)).toContain('invoice.pdf');
  expect([...new Set(used)].filter((file) => !list.includes(file))).toEqual([]);
});

/** The fences of the guide in one language. */
function fences(language: string): string[] {
  return [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)\\n\`\`\`$`, 'gm'))].map(
    ([, code = '']) => code,
  );
}

/** A request of the guide. Its body follows the empty line. */
function requestIn(fence: string) {
  const [, head = '', body = ''] = /^([^]*?)\n\n([^]*)$/.exec(fence) ?? [];
  const [, path = '', lines = ''] = /^POST (\S+) HTTP\/1\.1\n([^]*)$/.exec(head) ?? [];
  const headers = Object.fromEntries(
    lines.split('\n').map((line) => line.split(': ') as [name: string, value: string]),
  );
  return { path, headers, body };
}

describe('the requests of the guide', () => {
  const [payment = '', upload = '', webhook = ''] = fences('http');

  /** Sends a request of the guide to the mock, byte for byte, except for the line ends. */
  async function sendTo(mock: ReturnType<typeof createMockService>, fence: string, lineEnd = '\n') {
    const { path, headers, body } = requestIn(fence);
    const url = `${mock.clientOptions().baseUrl}${path}`;
    const bytes = body.replaceAll('\n', lineEnd);
    const response = await mock.fetch(new Request(url, { method: 'POST', headers, body: bytes }));
    return (await response.json()) as Record<string, unknown>;
  }

  test('include a payment and an upload that the mock approves unchanged', async () => {
    const mock = createMockService();
    expect(await sendTo(mock, payment)).toMatchObject({ resultStatus: 'APPROVED' });
    mock.settle('ORDER-1', 'paid');
    // Its last line also has a line end.
    expect(await sendTo(mock, `${upload}\n`, '\r\n')).toMatchObject({ resultStatus: 'APPROVED' });

    const { headers, body } = requestIn(payment);
    expect(headers['Idempotency-Key']).toBe(createHash('sha256').update(body).digest('hex'));
    expect(body).toBe(readFileSync(`${folder}/order.json`, 'utf8').trimEnd());
    expect(mock.invoices.all()).toMatchObject([{ file: { name: 'invoice.xml' } }]);
    expect(fences('text').map((text) => signPayment(text, 'demo-secret'))).toContain(
      requestIn(upload).headers['Signature'],
    );
  });

  test('include a webhook that is signed, and has each member of the mock’s webhook', async () => {
    const { path, headers, body } = requestIn(webhook);
    const event = verifyWebhook({ body, signature: headers['Signature'] }, { secretKey: 'demo-secret' });
    const port = await freePort();
    const mock = createMockService({ webhook: { url: `http://127.0.0.1:${port}${path}` } });
    const server = createServer((incoming, response) => {
      incoming.resume();
      response.writeHead(204).end();
    }).listen(port, '127.0.0.1');
    await sendTo(mock, payment);
    mock.settle('ORDER-1', 'paid');
    await expect.poll(() => mock.webhooks.all()).toMatchObject([{ status: 'delivered' }]);
    server.close();
    const own = JSON.parse(mock.webhooks.all()[0]?.body ?? '') as object;

    expect(mockWebhookEventSchema.parse(event)).toEqual(event);
    expect(event).toEqual({ ...own, settledAt: '2026-11-20T03:04:05.000Z' });
    expect(body).toBe(JSON.stringify(event));
  });
});

const vectorsFile = 'test/vectors/signing.json';
const signers = {
  'service.py': [
    python,
    '-c',
    `import json, os, sys
sys.path.insert(0, "${folder}")
import service
vectors = json.load(open("${vectorsFile}", encoding="utf-8"))
texts = [vector.get("body", vector.get("canonical")) for vector in vectors["payment"] + vectors["invoice"]
         if vector["secretKey"] == os.environ["INSTALLMENT_SECRET_KEY"]]
print(json.dumps([service.sign(text.encode()) for text in texts]))`,
  ],
  'service.php': [
    'php',
    '-r',
    `require '${folder}/service.php';
$vectors = json_decode(file_get_contents('${vectorsFile}'), true);
$signatures = [];
foreach ([...$vectors['payment'], ...$vectors['invoice']] as $vector) {
    if ($vector['secretKey'] === SECRET_KEY) $signatures[] = sign($vector['body'] ?? $vector['canonical']);
}
echo json_encode($signatures);`,
  ],
} as const;

test.each(Object.entries(signers))(
  '%s signs every golden vector, with its key, as openssl does',
  async (_file, program) => {
    const { payment, invoice } = JSON.parse(readFileSync(vectorsFile, 'utf8')) as Record<
      'payment' | 'invoice',
      { secretKey: string; signature: string }[]
    >;
    const vectors = [...payment, ...invoice];
    for (const key of new Set(vectors.map(({ secretKey }) => secretKey))) {
      const { code, output } = await runProgram(program, cleanEnvironment({ INSTALLMENT_SECRET_KEY: key }));
      expect(code, output).toBe(0);
      const expected = vectors.filter(({ secretKey }) => secretKey === key).map(({ signature }) => signature);
      expect(JSON.parse(output)).toEqual(expected);
    }
  },
);

/** The code in the rows of a name in the section about webhooks: how it compares, or its body and its header. */
function webhookRows(name: string): string[] {
  const section = guide.slice(guide.indexOf('\n## Webhooks'));
  return [...section.matchAll(new RegExp(`^\\| ${name} +\\|(.*)$`, 'gm'))].flatMap(([, cells = '']) =>
    [...cells.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code),
  );
}

describe('a webhook handler that compares signatures as the guide shows', () => {
  const servers: Readonly<Record<string, (port: number, file: string) => readonly string[]>> = {
    Flask(port, file) {
      const [comparison = ''] = webhookRows('Python');
      const [body = '', received = ''] = webhookRows('Flask');
      writeFileSync(
        file,
        `import hashlib, hmac
from flask import Flask, request
app = Flask("webhook")
@app.post("/")
def webhook():
    body, received = ${body}, ${received}
    mine = hmac.new(b"demo-secret", body, hashlib.sha256).hexdigest()
    return ("", 204) if ${comparison} else ("", 401)
app.run(port=${port})
`,
      );
      return [python, file];
    },
    PHP(port, file) {
      const [comparison = '', body = '', received = ''] = webhookRows('PHP');
      writeFileSync(
        file,
        `<?php
declare(strict_types=1);
$received = ${received};
$mine = hash_hmac('sha256', ${body}, 'demo-secret');
http_response_code(${comparison} ? 204 : 401);
`,
      );
      return ['php', '-S', `127.0.0.1:${port}`, file];
    },
    Java(port, file) {
      const [comparison = ''] = webhookRows('Java');
      writeFileSync(
        file,
        `import static java.nio.charset.StandardCharsets.UTF_8;
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.security.MessageDigest;
import java.util.*;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
class Webhook {
  public static void main(String[] args) throws Exception {
    var server = HttpServer.create(new InetSocketAddress("127.0.0.1", ${port}), 0);
    server.createContext("/", exchange -> {
      int status = 500;
      try {
        String received = exchange.getRequestHeaders().getFirst("Signature");
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec("demo-secret".getBytes(UTF_8), "HmacSHA256"));
        String mine = HexFormat.of().formatHex(mac.doFinal(exchange.getRequestBody().readAllBytes()));
        status = ${comparison} ? 204 : 401;
      } catch (Exception problem) {
        problem.printStackTrace();
      }
      exchange.sendResponseHeaders(status, -1);
    });
    server.start();
  }
}
`,
      );
      return ['java', file];
    },
  };

  test.each(Object.keys(servers))(
    'responds in %s with 401 to each signature except the valid one',
    async (name) => {
      const port = await freePort();
      const directory = mkdtempSync(join(tmpdir(), 'languages-'));
      const file = join(directory, 'Webhook.java');
      const stop = await startProgram(servers[name]?.(port, file) ?? [], {}, port);
      const { body } = requestIn(fences('http')[2] ?? '');
      const right = signWebhook(body, 'demo-secret');
      const statusFor = (signature?: string | string[]) =>
        new Promise<number | undefined>((resolve, reject) => {
          const headers = signature === undefined ? {} : { signature };
          const sent = request({ port, host: '127.0.0.1', method: 'POST', headers }, (response) => {
            response.resume();
            resolve(response.statusCode);
          });
          sent.on('error', reject).end(body);
        });
      try {
        expect(await statusFor(right)).toBe(204);
        const wrong = [
          undefined,
          '',
          '0'.repeat(64),
          'é'.repeat(64),
          'Ã©'.repeat(32),
          right.slice(1),
          ` ${right}0`,
        ];
        for (const signature of wrong)
          expect([signature, await statusFor(signature)]).toEqual([signature, 401]);
      } finally {
        await stop();
        rmSync(directory, { recursive: true });
      }
    },
  );
});
