import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freePort } from '../helpers/free-port.js';
import { listening } from '../helpers/listening.js';
import { python, runProgram } from './programs.js';

const guide = readFileSync('docs/other-languages.md', 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'not-sent-'));

/**
 * Programs that print `not sent` or `may exist`, as the guide's table says, after a payment to the URL of their
 * argument.
 */
const programs: Readonly<Record<string, readonly [file: string, program: string, code: string]>> = {
  'Python `http.client`': [
    'client.py',
    python,
    `import http.client, sys, urllib.parse
connection = http.client.HTTPConnection(urllib.parse.urlsplit(sys.argv[1]).netloc)
try:
    connection.connect()
except OSError:
    sys.exit(print("not sent"))
try:
    connection.request("POST", "/", b"{}")
    connection.getresponse()
except (OSError, http.client.HTTPException):
    print("may exist")`,
  ],
  'Python `requests`': [
    'with_requests.py',
    python,
    `import requests, sys, urllib3
from requests.exceptions import ConnectionError, ConnectTimeout, RequestException
try:
    requests.post(sys.argv[1], data=b"{}", timeout=5)
except RequestException as error:
    reason = getattr(error.args[0], "reason", None) if isinstance(error, ConnectionError) else None
    not_sent = isinstance(error, ConnectTimeout) or isinstance(reason, urllib3.exceptions.NewConnectionError)
    print("not sent" if not_sent else "may exist")`,
  ],
  'PHP curl': [
    'curl.php',
    'php',
    `<?php
$curl = curl_init($argv[1]);
curl_setopt_array($curl, [CURLOPT_POSTFIELDS => '{}', CURLOPT_RETURNTRANSFER => true]);
curl_exec($curl);
echo in_array(curl_errno($curl), [6, 7, 35, 60], true) ? 'not sent' : 'may exist';`,
  ],
  'Java `HttpClient`': [
    'Send.java',
    'java',
    `import java.io.IOException;
import java.net.*;
import java.net.http.*;
class Send {
  public static void main(String[] args) throws InterruptedException {
    var request = HttpRequest.newBuilder(URI.create(args[0])).POST(HttpRequest.BodyPublishers.ofString("{}")).build();
    try {
      HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    } catch (ConnectException | HttpConnectTimeoutException error) {
      System.out.println("not sent");
    } catch (IOException error) {
      System.out.println("may exist");
    }
  }
}`,
  ],
};

test.each(Object.entries(programs))(
  '%s tells a refused connection from a lost response by the errors of the guide',
  async (library, [file, program, code]) => {
    const path = join(folder, file);
    writeFileSync(path, code);
    const server = createServer((socket) => socket.once('data', () => socket.destroy()));
    const [refused, lost] = [await freePort(), await listening(server)];
    const outputs: string[] = [];
    for (const port of [refused, lost])
      outputs.push((await runProgram([program, path, `http://127.0.0.1:${port}`])).output.trim());

    expect(guide).toContain(`| ${library} `);
    expect(outputs).toEqual(['not sent', 'may exist']);
  },
);
