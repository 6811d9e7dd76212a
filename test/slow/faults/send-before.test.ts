import { setTimeout as pause } from 'node:timers/promises';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { approved } from '../../faults/calls.js';
import { bundled, outputOf, type Program } from '../../faults/bundle.js';
import { makeAuthority, makeCertificate } from '../../faults/certificate.js';
import { FaultServer, type Step } from '../../faults/fault-server.js';
import * as steps from '../../faults/steps.js';

const timeoutMs = 60_000;
const authority = makeAuthority();
const tls = makeCertificate({ host: 'localhost', issuer: authority });

/** The state of a process: `T` while it is suspended. */
const stateOf = (pid: number) => readFileSync(`/proc/${String(pid)}/stat`, 'utf8').split(') ')[1]?.[0];

interface Place {
  readonly name: string;
  /** The steps of the server, one for each request. The last request must not arrive. */
  readonly steps?: readonly Step[];
  readonly outcome?: 'unknown';
  /** The transports of the test. A `fetch` reports nothing about the connection. @default 'node:http' and 'fetch' */
  readonly over?: 'node:http' | 'node:https';
}

const places: readonly Place[] = [
  { name: 'parsing' },
  { name: 'beforeSend' },
  { name: 'asking for the key' },
  { name: 'reading the clock' },
  { name: 'looking up', over: 'node:http' },
  { name: 'connecting', over: 'node:http' },
  { name: 'connected', over: 'node:http' },
  { name: 'connected', over: 'node:https' },
  { name: 'secured', over: 'node:https' },
  { name: 'an idle connection', steps: [approved], over: 'node:http' },
  { name: 'waiting', steps: [steps.reset], outcome: 'unknown' },
  { name: 'asking for the key again', steps: [steps.reset], outcome: 'unknown' },
  { name: 'the connection of a second attempt', steps: [steps.reset], outcome: 'unknown', over: 'node:http' },
];

const cases = places.flatMap((place) =>
  (place.over === undefined ? ['node:http', 'fetch'] : [place.over]).map((over) => ({ ...place, over })),
);

let program: Program;
beforeAll(async () => {
  program = await bundled('send-before');
});
afterAll(() => program[Symbol.asyncDispose]());

test.concurrent.each(cases)(
  'a process that is suspended while $name, and woken after sendBefore, sends nothing more: $over',
  async ({ name, over, steps: before = [], outcome = 'not_sent' }) => {
    await using server = await FaultServer.start([...before, approved], over === 'node:https' ? { tls } : {});
    const baseUrl = server.url.replace('127.0.0.1', 'localhost');
    const child = program.start({ BASE_URL: baseUrl, PLACE: name, CA: authority.cert, TRANSPORT: over });
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
      nextStep: outcome === 'unknown' ? 'repeat' : 'call_again',
      message: expect.stringMatching(/sendBefore has passed \(by the (?:wall|monotonic) clock\)/) as string,
    });
    expect(server.requests).toHaveLength(before.length);
  },
  timeoutMs,
);
