import { describe, expect, test } from 'vitest';
import { attemptLine, createdLines, resultText } from '../../../src/workbench/cli/probe-output.js';
import type { ServiceFile } from '../../../src/workbench/probe/file/service-file.js';
import type { Observation } from '../../../src/workbench/probe/judge/observations.js';
import type { Attempt, ProbeRequest } from '../../../src/workbench/probe/judge/transcript.js';

function attempt(request: Partial<ProbeRequest>, came: Pick<Attempt, 'response' | 'lost'>): Attempt {
  const order = { operation: 'initiatePayment', content: 'whole', referenceId: 'PROBE-1', sender: 'right' };
  return { number: 7, sentAtMs: 0, endedAtMs: 5, request: { ...order, ...request } as ProbeRequest, ...came };
}

const answer = (httpStatus: number, changes: object = {}) => ({
  response: { httpStatus, fields: [], headers: {}, ...changes },
});

describe('the line of a request of a probe and its response', () => {
  test.each<[Partial<ProbeRequest>, Pick<Attempt, 'response' | 'lost'>, string]>([
    [{}, answer(200, { resultStatus: 'APPROVED' }), '  7  whole order PROBE-1: APPROVED (HTTP 200)'],
    [
      { operation: 'uploadInvoice', content: 'incomplete', sender: 'wrong signature' },
      answer(502),
      '  7  incomplete upload PROBE-1, wrong signature: HTTP 502',
    ],
    [
      { inPair: true },
      { lost: 'ECONNRESET' },
      '  7  whole order PROBE-1, in a pair: no response (ECONNRESET)',
    ],
    [{}, answer(200, { resultStatus: 'A\u001b[2J' }), '  7  whole order PROBE-1: A\\u{1b}[2J (HTTP 200)'],
  ])('%j', (request, came, line) => {
    expect(attemptLine(attempt(request, came))).toBe(line);
  });
});

const created = (payments: readonly boolean[], invoices: readonly boolean[]) => ({
  payments: payments.map((isCertain, index) => ({ referenceId: `P-${index + 1}`, isCertain })),
  invoices: invoices.map((isCertain, index) => ({ referenceId: `I-${index + 1}`, isCertain })),
});

describe('the list of what a probe might have created', () => {
  test('contains the number of different links, and which payments are certain', () => {
    const transcript = [1, 2, 1, undefined].map((link) =>
      attempt({}, answer(200, link === undefined ? {} : { link })),
    );
    expect(createdLines({ created: created([true, false], [true]), transcript })).toEqual([
      'Created (different payment links: 2):',
      '  P-1  a payment',
      '  P-2  perhaps a payment',
      '  I-1  an invoice',
    ]);
  });

  test('says that nothing was created', () => {
    expect(createdLines({ created: created([], []), transcript: [] })).toEqual(['Nothing was created.']);
  });
});

test('the result of a probe names each observation with the option to set, and the reason for an early end', () => {
  const seen = { state: 'seen', assumed: 'hex', observed: 'Seen.', evidence: [] } as const;
  const observations = [
    { ...seen, id: 'signature-encoding', value: 'base64', set: { 'wire.signatureEncoding': 'base64' } },
    { ...seen, id: 'repeat', value: 'busy', assumed: 'replay', noOption: true },
    { ...seen, id: 'offset', value: 7, assumed: 7 },
    { ...seen, id: 'lifetime', value: 5, assumed: 9, set: { 'a.ms': 5000, 'b.ms': 5000 } },
    { ...seen, id: 'late', state: 'not_seen', observed: 'A second payment would show it.' },
  ] as unknown as readonly Observation[];
  const file = { observations, isComplete: false, why: 'HTTP 429', created: created([], []), transcript: [] };
  expect(resultText(file as unknown as ServiceFile, 'service.json').split('\n')).toEqual([
    '',
    '  signature-encoding  base64, not hex: set wire.signatureEncoding to base64',
    '  repeat              busy, not replay: there is no option for this. Seen.',
    '  offset              7: nothing to set',
    '  lifetime            5, not 9: set a.ms and b.ms to 5000',
    '  late                not seen. A second payment would show it.',
    '',
    'Nothing was created.',
    '',
    'Stopped early: HTTP 429.',
    'Written to service.json. Pass its client.wire to the client as wire, and the file to mock and rehearse with --service service.json.',
  ]);
  const whole = resultText({ ...file, isComplete: true } as unknown as ServiceFile, 'a\nb');
  expect(whole).not.toContain('Stopped');
  expect(whole.split('\n')).toHaveLength(10);
});
