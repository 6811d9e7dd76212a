import { setTimeout as pause } from 'node:timers/promises';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { approved } from './calls.js';
import { bundled, outputOf, type Program } from './bundle.js';
import { makeAuthority, makeCertificate } from './certificate.js';
import { FaultServer, type Step } from './fault-server.js';
import * as steps from './steps.js';

const timeoutMs = 60_000;
const authority = makeAuthority();
const tls = makeCertificate({ host: 'localhost', issuer: authority });

/** The state of a process: `T` while it is suspended. */
const stateOf = (pid: number) => readFileSync(`/proc/${String(pid)}/stat`, 'utf8').split(') ')[1]?.[0];

interface Place {
  readonly name: string;
  /** The steps of the server, one for each request that may be read; the last request must not come. */
  readonly steps?: readonly Step[];
  readonly scheme: 'http' | 'https';
  readonly outcome?: 'unknown';
}

const places: readonly Place[] = [
  { name: 'parsing', scheme: 'http' },
  { name: 'beforeSend', scheme: 'http' },
  { name: 'asking for the key', scheme: 'http' },
  { name: 'reading the clock', scheme: 'http' },
  { name: 'looking up', scheme: 'http' },
  { name: 'connecting', scheme: 'http' },
  { name: 'connected', scheme: 'http' },
  { name: 'connected', scheme: 'https' },
  { name: 'secured', scheme: 'https' },
  { name: 'an idle connection', scheme: 'http', steps: [approved] },
  { name: 'waiting', scheme: 'http', steps: [steps.reset], outcome: 'unknown' },
  { name: 'asking for the key again', scheme: 'http', steps: [steps.reset], outcome: 'unknown' },
  { name: 'the connection of a second attempt', scheme: 'http', steps: [steps.reset], outcome: 'unknown' },
];

let program: Program;
beforeAll(async () => {
  program = await bundled('send-before');
});
afterAll(() => program[Symbol.asyncDispose]());

test.concurrent.each(places)(
  'a process that is suspended while $name, and woken after sendBefore, sends nothing more: $scheme',
  async ({ name, steps: before = [], scheme, outcome = 'not_sent' }) => {
    await using server = await FaultServer.start([...before, approved], scheme === 'https' ? { tls } : {});
    const baseUrl = server.url.replace('127.0.0.1', 'localhost');
    const child = program.start({ BASE_URL: baseUrl, PLACE: name, CA: authority.cert });
    const { pid = 0 } = child;
    const output = outputOf(child);
    while (stateOf(pid) !== 'T') await pause(5);
    await pause(4_200);
    expect(server.requests).toHaveLength(before.length);
    process.kill(pid, 'SIGCONT');

    expect(JSON.parse(await output)).toEqual({
      stopped: true,
      code: 'TIMEOUT',
      outcome,
      nextStep: outcome === 'unknown' ? 'look_up' : 'fix',
      message: expect.stringMatching(/sendBefore has passed by the (?:wall|monotonic) clock/) as string,
    });
    expect(server.requests).toHaveLength(before.length);
  },
  timeoutMs,
);
