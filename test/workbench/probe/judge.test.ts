import { describe, expect, test } from 'vitest';
import { createMockService } from '../../../src/entries/mock.js';
import { classifyRepeats, type RepeatPattern } from '../../../src/workbench/probe/judge/classify-repeats.js';
import { createdIn } from '../../../src/workbench/probe/judge/created.js';
import {
  observationsOf,
  optionsOf,
  type ObservationId,
} from '../../../src/workbench/probe/judge/observations.js';
import type { RepeatKind } from '../../../src/workbench/probe/judge/payment-attempts.js';
import { payment, transcript, type Written } from './transcripts.js';

/** The value of one observation; undefined if it was not seen. */
function seen(id: ObservationId, ...written: readonly Written[]): unknown {
  const found = observationsOf(transcript(...written)).find((each) => each.id === id);
  expect(found?.state).toBe(found?.value === undefined ? 'not_seen' : 'seen');
  return found?.value;
}

const incomplete = { content: 'incomplete', writing: 'indented' } as const;
const wrong = { ...incomplete, sender: 'wrong signature', got: '200 INVALID_SIGNATURE' } as const;
const upload = { operation: 'uploadInvoice', referenceId: 'PROBE-0' } as const;

describe('the signature of a payment', () => {
  test('has the form whose response differs from the response to a wrong signature', () => {
    const right = {
      ...incomplete,
      signatureEncoding: 'base64',
      secretKeyEncoding: 'hex',
      got: '200 INVALID_REQUEST',
    } as const;
    const attempts = [wrong, { ...wrong, signatureEncoding: 'base64' }, right] as const;
    expect(seen('signature-encoding', ...attempts)).toBe('base64');
    expect(seen('secret-key-encoding', ...attempts)).toBe('hex');
  });

  test('is not seen without a wrong signature in the same encoding, which a service might refuse differently', () => {
    const right = { ...incomplete, signatureEncoding: 'base64', got: '400 INVALID_REQUEST' } as const;
    expect(seen('signature-encoding', wrong, right)).toBeUndefined();
    const malformed = { ...wrong, signatureEncoding: 'base64', got: '400 INVALID_REQUEST' } as const;
    expect(seen('signature-encoding', wrong, malformed, right)).toBeUndefined();
  });

  test('is not seen if the shape is checked first, so that all responses are equal', () => {
    const alike = { ...incomplete, got: '200 INVALID_REQUEST' };
    expect(seen('signature-encoding', { ...wrong, got: '200 INVALID_REQUEST' }, alike)).toBeUndefined();
  });

  test('is not seen from a response that refuses the signature, whatever its control got', () => {
    const duplicate = { ...wrong, got: '200 DUPLICATE_REFERENCE_ID' };
    for (const got of ['200 INVALID_SIGNATURE', '401', '403'])
      expect(seen('secret-key-encoding', duplicate, { ...incomplete, got })).toBeUndefined();
  });

  test('is not seen from the response to the first wrong signature, if later ones are duplicates', () => {
    const base64 = { signatureEncoding: 'base64' } as const;
    const attempts: Written[] = [
      { ...wrong, got: '401 NOT_TRUSTED' },
      { ...wrong, ...base64, got: '200 DUPLICATE_REFERENCE_ID' },
      { ...incomplete, ...base64, got: '401 NOT_TRUSTED' },
    ];
    expect(seen('signature-encoding', ...attempts)).toBeUndefined();
  });

  test.each(['502', '429', '307 -', '200 DOWNSTREAM_ERROR', '200', undefined])(
    'is not seen from a response that the service itself did not send: %s',
    (got) => {
      expect(
        seen('signature-encoding', wrong, { ...incomplete, ...(got !== undefined && { got }) }),
      ).toBeUndefined();
    },
  );
});

describe('whether the exact bytes are signed', () => {
  const right = { ...incomplete, got: '200 INVALID_REQUEST' } as const;

  test('is true if JSON is accepted in a form that no library writes', () => {
    expect(seen('exact-bytes', wrong, right)).toBe(true);
  });

  test('is false if JSON in such a form gets the response of a wrong signature, and a different form is accepted', () => {
    const refused = { ...right, got: '200 INVALID_SIGNATURE' };
    const rewritten = { ...right, writing: 'sorted' } as const;
    expect(seen('exact-bytes', wrong, refused, { ...wrong, writing: 'sorted' }, rewritten)).toBe(false);
  });

  test('is not seen if JSON in such a form is refused for a different reason', () => {
    const unread = { ...right, got: '415' };
    const rewritten = { ...right, writing: 'sorted', got: '200 INVALID_REQUEST' } as const;
    const malformed = { ...wrong, got: '415' };
    expect(
      seen('exact-bytes', wrong, malformed, unread, { ...wrong, writing: 'sorted' }, rewritten),
    ).toBeUndefined();
  });
});

test('absent fields of an upload are signed as in the upload whose response differs from the response to a wrong signature', () => {
  const control = { ...upload, content: 'incomplete', sender: 'wrong signature', got: '401 -' } as const;
  const empty = { ...control, sender: 'right' } as const;
  const omit = { ...empty, absentFields: 'omit', got: '400 INVALID_REQUEST' } as const;
  expect(seen('absent-fields', control, empty, omit)).toBe('omit');
  expect(seen('absent-fields', empty, omit)).toBeUndefined();
});

describe('the offset of Request-Time', () => {
  const refused = { offset: '+00:00', got: '200 INVALID_REQUEST' };

  test('is the accepted offset, if another offset was refused for the same payment', () => {
    expect(seen('request-time-offset', refused, { got: '200 APPROVED 1' })).toBe('+07:00');
  });

  test('is `any`, and no option is suggested, if two offsets were accepted', () => {
    const other = { offset: '+00:00', referenceId: 'PROBE-2', got: '200 REQUEST_PROCESSING' };
    const found = observationsOf(transcript({ got: '200 APPROVED 1' }, other)).find(
      (each) => each.value === 'any',
    );
    expect(found).toMatchObject({ id: 'request-time-offset' });
    expect(found).not.toHaveProperty('set');
    expect(found).not.toHaveProperty('noOption');
  });

  test('is not seen if another order was refused, or nothing was accepted', () => {
    expect(
      seen('request-time-offset', { ...refused, referenceId: 'PROBE-2' }, { got: '200 APPROVED 1' }),
    ).toBeUndefined();
    expect(seen('request-time-offset', refused)).toBeUndefined();
    expect(
      seen('request-time-offset', { ...refused, got: '429' }, { got: '200 APPROVED 1' }),
    ).toBeUndefined();
  });
});

describe('a repeat', () => {
  test.each([
    ['replay', '200 APPROVED 1'],
    ['another', '200 APPROVED 2'],
    ['duplicate', '409 DUPLICATE_REFERENCE_ID'],
    ['invalid', '200 INVALID_REQUEST'],
    ['conflict', '409'],
    ['other', '200 ACCESS_DENIED'],
    ['other', '404'],
  ])('is %s if a known payment gets the response %s', (value, got) => {
    expect(seen('repeat', ...payment('200 APPROVED 1', got))).toBe(value);
  });

  test('is `another` if the page of the link differs, and not seen if only its query differs', () => {
    expect(seen('repeat', ...payment('200 APPROVED 1 1', '200 APPROVED 2 2'))).toBe('another');
    expect(seen('repeat', ...payment('200 APPROVED 1 1', '200 APPROVED 2 1'))).toBeUndefined();
    const pair = (got: string) => ({ referenceId: 'PROBE-2', inPair: true, got });
    const first = { got: '200 APPROVED 1 1' };
    expect(
      seen('repeat-in-flight', first, pair('200 APPROVED 2 2'), pair('200 APPROVED 3 2')),
    ).toBeUndefined();
  });

  test('is `processing` if that is the response for four seconds, and not seen before', () => {
    const [first, second] = payment('200 APPROVED 1', '409 REQUEST_PROCESSING');
    expect(seen('repeat', { ...first }, { ...second, at: 4100 })).toBe('processing');
    expect(seen('repeat', { ...first }, { ...second, at: 2000 })).toBeUndefined();
  });

  test('is not seen if no link shows that there is a payment, because each repeat might have created another payment', () => {
    const [first, second] = payment('409 REQUEST_PROCESSING', '409 REQUEST_PROCESSING');
    expect(seen('repeat', { ...first }, { ...second, at: 4100 })).toBeUndefined();
  });

  test('is `busy` if the first response is REQUEST_PROCESSING and a later response has the link', () => {
    const busy = ['200 APPROVED 1', '422 REQUEST_PROCESSING', '200 APPROVED 1'];
    expect(seen('repeat', ...payment(...busy))).toBe('busy');
    expect(seen('repeat', ...payment('200 REQUEST_PROCESSING', ...busy.slice(1)))).toBe('busy');
  });

  test('is not seen if the same link came so late that the service might have been busy before', () => {
    const [first, second] = payment('200 APPROVED 1', '200 APPROVED 1');
    expect(seen('repeat', { ...first }, { ...second, at: 1600 })).toBeUndefined();
    const pair = { referenceId: 'PROBE-2', inPair: true, got: '200 APPROVED 2' };
    // A service that is busy with each later repeat can still give two simultaneous requests the same link.
    expect(seen('repeat', { ...first }, { ...second, at: 1600 }, pair, pair)).toBeUndefined();
  });

  test('is judged by requests after the first response: a request whose response was lost might not have arrived', () => {
    expect(seen('repeat', ...payment(undefined, '200 APPROVED 1'))).toBeUndefined();
    expect(seen('repeat', ...payment(undefined, '422 REQUEST_PROCESSING', '200 APPROVED 1'))).toBeUndefined();
    expect(seen('repeat', ...payment(undefined, '200 APPROVED 1', '200 DUPLICATE_REFERENCE_ID'))).toBe(
      'duplicate',
    );
  });

  test('is the same link only if the link was known before', () => {
    expect(seen('repeat', ...payment('200 REQUEST_PROCESSING', '200 APPROVED 1'))).toBeUndefined();
    expect(seen('repeat', ...payment('200 REQUEST_PROCESSING', '200 APPROVED 1', '200 APPROVED 1'))).toBe(
      'replay',
    );
  });
});

describe('the pattern of repeats', () => {
  test.each<[RepeatPattern, RepeatKind[]]>([
    ['none', []],
    ['none', ['reveals']],
    ['replay', ['reveals', 'replay']],
    ['another', ['processing', 'another', 'replay']],
    ['other query', ['replay', 'other query']],
    ['processing', ['processing', 'processing']],
    ['busy', ['processing', 'reveals', 'replay']],
    ['mixed', ['processing', 'replay', 'processing']],
    ['mixed', ['processing', 'duplicate', 'replay']],
    ['mixed', ['duplicate', 'invalid']],
    ['duplicate', ['duplicate', 'duplicate']],
  ])('is %s for %j', (pattern, kinds) => {
    expect(classifyRepeats(kinds)).toBe(pattern);
  });
});

describe('a repeat in flight', () => {
  const inPair = (...responses: string[]) =>
    responses.map((got) => ({ referenceId: 'PROBE-2', inPair: true, got }));

  test.each([
    ['APPROVED, the same link', '200 APPROVED 2', '200 APPROVED 2'],
    ['APPROVED, another link', '200 APPROVED 2', '200 APPROVED 3'],
    ['REQUEST_PROCESSING', '200 APPROVED 2', '409 REQUEST_PROCESSING'],
    ['HTTP 409', '409', '200 APPROVED 2'],
  ])('is %s, beside the first response, if a pair got %s and %s', (value, left, right) => {
    expect(seen('repeat-in-flight', { got: '200 APPROVED 1' }, ...inPair(left, right))).toBe(value);
  });

  test('is the other response of a pair if the first is REQUEST_PROCESSING', () => {
    const pair = inPair('200 REQUEST_PROCESSING', '200 INVALID_REQUEST');
    expect(seen('repeat-in-flight', { got: '200 REQUEST_PROCESSING' }, ...pair)).toBe('INVALID_REQUEST');
  });

  test('is not seen if a response of the pair was lost, or it is unclear which request was the first', () => {
    const [lost] = transcriptOfLostPair;
    expect(
      seen('repeat-in-flight', { got: '200 APPROVED 1' }, ...inPair('200 APPROVED 2'), lost),
    ).toBeUndefined();
    expect(seen('repeat-in-flight', ...inPair('200 APPROVED 2', '409'))).toBeUndefined();
  });

  test('is no difference if it matches the assumption, or if a later repeat gets the same response', () => {
    const attempts = [
      ...payment('200 APPROVED 1', '200 DUPLICATE_REFERENCE_ID'),
      ...inPair('200 APPROVED 2', '200 DUPLICATE_REFERENCE_ID'),
    ];
    const isDifferent = (written: readonly Written[]) =>
      observationsOf(transcript(...written)).some(
        ({ id, noOption }) => id === 'repeat-in-flight' && noOption,
      );
    expect(isDifferent(attempts)).toBe(false);
    const assumed = inPair('200 APPROVED 2', '422 REQUEST_PROCESSING');
    expect(isDifferent([...payment('200 APPROVED 1', '200 APPROVED 1'), ...assumed])).toBe(false);
    expect(isDifferent([{ got: '200 APPROVED 1' }, ...attempts.slice(2)])).toBe(true);
    const asAssumed = inPair('200 APPROVED 2', '200 REQUEST_PROCESSING');
    expect(isDifferent([{ got: '200 APPROVED 1' }, ...asAssumed])).toBe(false);
  });
});

const transcriptOfLostPair = [{ referenceId: 'PROBE-2', inPair: true }] as const;

describe('the first response', () => {
  test('is approved, even after a refusal for another offset and a rate limit', () => {
    const before = [{ offset: '+00:00', got: '200 INVALID_REQUEST' }, { got: '429' }];
    expect(seen('first-response', ...before, { got: '200 APPROVED 1' })).toBe('approved');
  });

  test.each([
    ['a link', '200 APPROVED 1'],
    ['a duplicate', '200 DUPLICATE_REFERENCE_ID'],
  ])('is processing if %s shows later that the payment exists', (_later, got) => {
    expect(seen('first-response', ...payment('200 REQUEST_PROCESSING', got))).toBe('processing');
    expect(
      seen('first-response', ...payment('200 REQUEST_PROCESSING', '200 INVALID_REQUEST')),
    ).toBeUndefined();
  });

  test('is not seen after a lost response, or if two payments differ', () => {
    expect(
      seen('first-response', ...payment(undefined, '200 REQUEST_PROCESSING', '200 APPROVED 1')),
    ).toBeUndefined();
    expect(seen('first-response', ...payment('307', '200 APPROVED 1'))).toBeUndefined();
    const other = { referenceId: 'PROBE-2', got: '200 REQUEST_PROCESSING' };
    expect(seen('first-response', { got: '200 APPROVED 1' }, other)).toBeUndefined();
  });
});

describe('the HTTP status of refusals', () => {
  const client = { ...incomplete, sender: 'unknown client' } as const;
  const refused = (signature: number, shape: number, unknown: number): Written[] => [
    { ...wrong, got: `${signature} INVALID_SIGNATURE` },
    { ...incomplete, got: `${shape} INVALID_REQUEST` },
    { ...client, got: `${unknown} INVALID_CLIENT_ID` },
  ];

  test.each([
    [200, 200, 200, 200],
    ['by-kind', 401, 400, 401],
    ['by-kind', 403, 422, 401],
    ['other', 401, 200, 200],
    ['other', 400, 400, 400],
  ])('is %s for a signature %i, a shape %i and a client %i', (value, signature, shape, unknown) => {
    expect(seen('refusals', ...refused(signature, shape, unknown))).toBe(value);
  });

  test('is set for each kind of refusal whose status is not 200', () => {
    const found = observationsOf(transcript(...refused(401, 200, 200))).find(({ id }) => id === 'refusals');
    expect(found?.set).toEqual({ 'mock.scenario.refusals': { INVALID_SIGNATURE: 401 } });
  });

  test('is other if a repeat or another refusal does not match, with each kind that was not 200', () => {
    const all = transcript(
      ...refused(401, 400, 401),
      ...payment('200 APPROVED 1', '400 DUPLICATE_REFERENCE_ID'),
      { referenceId: 'PROBE-2', got: '200 INVALID_MERCHANT_ID' },
    );
    const statuses = {
      INVALID_SIGNATURE: 401,
      INVALID_REQUEST: 400,
      INVALID_CLIENT_ID: 401,
      DUPLICATE_REFERENCE_ID: 400,
    };
    const found = observationsOf(all).find(({ id }) => id === 'refusals');
    expect(found).toMatchObject({ value: 'other', set: { 'mock.scenario.refusals': statuses } });
    expect(found?.observed).toContain('INVALID_MERCHANT_ID HTTP 200');
    expect(createMockService({ scenario: { refusals: statuses } })).toBeDefined();
  });

  test('is by-kind if a kind has two statuses that both match, and a duplicate has 409', () => {
    const more = payment('200 APPROVED 1', '409 DUPLICATE_REFERENCE_ID', '422 INVALID_REQUEST');
    expect(seen('refusals', ...refused(401, 400, 401), ...more)).toBe('by-kind');
  });

  test('has no option if the specification does not list the kinds whose statuses differ', () => {
    const own: Written = { referenceId: 'PROBE-2', got: '402 NO_CREDIT' };
    const found = observationsOf(transcript(...refused(200, 200, 200), own)).find(
      ({ id }) => id === 'refusals',
    );
    expect(found).toMatchObject({ value: 'other', noOption: true });
    expect(found).not.toHaveProperty('set');
  });

  test('is not seen from two kinds', () => {
    expect(seen('refusals', ...refused(200, 200, 200).slice(1))).toBeUndefined();
  });
});

describe('uploads before the payment', () => {
  const control = {
    ...upload,
    content: 'incomplete',
    sender: 'wrong signature',
    got: '200 INVALID_SIGNATURE',
  } as const;
  const signed = [control, { ...control, sender: 'right', got: '200 INVALID_REQUEST' }] as const;
  const whole = (got: string) => ({ ...upload, referenceId: 'PROBE-1', got });

  test.each([
    ['accepted', '200 APPROVED'],
    ['refused', '200 INVALID_REFERENCE_ID'],
    [undefined, '200 INVALID_REQUEST'],
  ])('are %s if an upload for a payment with a link gets %s', (value, got) => {
    expect(seen('uploads-before-payment', ...signed, { got: '200 APPROVED 1' }, whole(got))).toBe(value);
  });

  test('are judged by a payment whose link was never returned, if another response shows that it exists', () => {
    const first = { got: '200 REQUEST_PROCESSING' };
    const duplicate = { got: '409 DUPLICATE_REFERENCE_ID' };
    const refused = whole('200 INVALID_REFERENCE_ID');
    expect(seen('uploads-before-payment', ...signed, first, whole('200 APPROVED'))).toBe('accepted');
    expect(seen('uploads-before-payment', ...signed, first, duplicate, refused)).toBe('refused');
  });

  test('are not seen if the payment might not exist, or the signature of an upload is not known', () => {
    const refused = whole('200 INVALID_REFERENCE_ID');
    expect(
      seen('uploads-before-payment', ...signed, { got: '200 REQUEST_PROCESSING' }, refused),
    ).toBeUndefined();
    expect(seen('uploads-before-payment', { got: '200 APPROVED 1' }, refused)).toBeUndefined();
  });
});

test('the options contain only what was observed and differs from the default', () => {
  const right = { ...incomplete, signatureEncoding: 'base64', got: '200 INVALID_REQUEST' } as const;
  const repeats = payment('200 APPROVED 1', '200 INVALID_REQUEST');
  const attempts = transcript(wrong, { ...wrong, signatureEncoding: 'base64' }, right, ...repeats);
  expect(optionsOf(observationsOf(attempts))).toEqual({
    client: { wire: { signatureEncoding: 'base64' } },
    mock: { wire: { signatureEncoding: 'base64' }, scenario: { repeat: 'invalid' } },
  });
  expect(optionsOf(observationsOf([]))).toEqual({ client: { wire: {} }, mock: {} });
});

test('an observation names the requests that show it', () => {
  const found = observationsOf(transcript(wrong, wrong, { ...incomplete, got: '200 INVALID_REQUEST' }));
  expect(found[0]).toMatchObject({ id: 'signature-encoding', evidence: [1, 3] });
});

test('everything that might have been created is listed, with what is certain', () => {
  const attempts = transcript(
    { referenceId: 'REFUSED', got: '200 INVALID_REQUEST' },
    { referenceId: 'LIMITED', got: '429' },
    { referenceId: 'LINK', got: '200 APPROVED 1' },
    { referenceId: 'LOST' },
    { referenceId: 'UNEXPECTED', content: 'incomplete', sender: 'wrong signature', got: '200 APPROVED 2' },
    { ...upload, got: '200 APPROVED' },
    { ...upload, referenceId: 'PROBE-1', got: '502' },
  );
  const listed = (referenceId: string, isCertain: boolean) => ({ referenceId, isCertain });
  expect(createdIn(attempts)).toEqual({
    payments: [listed('LINK', true), listed('LOST', false), listed('UNEXPECTED', true)],
    invoices: [listed('PROBE-0', true), listed('PROBE-1', false)],
  });
});
