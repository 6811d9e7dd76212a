import { describe, expect, test } from 'vitest';
import { classifyFailure as failureIn } from '../../src/http/classify-failure.js';
import { systemError } from '../helpers/scripted-failures.js';

/** The failure of a transport that gives only an error. */
const classifyFailure = (error: unknown) => failureIn(error, undefined);

const failing = (...links: object[]): unknown =>
  links.reduceRight<unknown>(
    (cause, link) => Object.assign(new Error('x', cause ? { cause } : {}), link),
    undefined,
  );

const fetchFailed = (link: object): unknown => failing({ name: 'TypeError' }, link);
const fetchFailedOn = (errors: unknown[]): unknown =>
  new TypeError('x', { cause: new AggregateError(errors) });

describe('a failure is not_sent and transient:', () => {
  test.each([
    [{ code: 'EAI_FAIL' }],
    [{ code: 'EAI_NODATA' }],
    [{ code: 'EAI_NONAME' }],
    [{ code: 'ECONNREFUSED' }],
    [{ code: 'ENOTFOUND' }],
    [{ code: 'EAI_AGAIN' }],
    [{ code: 'ETIMEOUT', syscall: 'queryA' }],
    [{ code: 'ETIMEOUT', syscall: 'queryAaaa' }],
    [{ code: 'ESERVFAIL', syscall: 'getaddrinfo' }],
    [{ code: 'ECONNREFUSED', syscall: 'connect' }],
    [{ code: 'ENOTFOUND', syscall: 'getaddrinfo' }],
    [{ code: 'EAI_AGAIN', syscall: 'getaddrinfo' }],
    [{ code: 'UND_ERR_CONNECT_TIMEOUT', name: 'ConnectTimeoutError' }],
    [{ code: 'ECONNRESET', syscall: 'connect' }],
    [{ code: 'ETIMEDOUT', syscall: 'connect' }],
    [{ code: 'EHOSTUNREACH', syscall: 'connect' }],
    [{ code: 'ConnectionRefused' }],
  ])('%j', (link) => {
    expect(classifyFailure(fetchFailed(link))).toMatchObject({ outcome: 'not_sent', transient: true });
  });

  test('several addresses of one name, if all of them failed to connect', () => {
    const errors = [systemError('ECONNREFUSED', 'connect'), systemError('ENETUNREACH', 'connect')];
    const failure = classifyFailure(fetchFailedOn(errors));
    expect(failure).toMatchObject({
      outcome: 'not_sent',
      transient: true,
      summary: 'ECONNREFUSED (connect)',
    });
  });
});

describe('a failure is not_sent and final:', () => {
  const certificateCodes = [
    'CERT_HAS_EXPIRED',
    'CERT_NOT_YET_VALID',
    'CERT_REVOKED',
    'CERT_REJECTED',
    'CERT_UNTRUSTED',
    'CERT_SIGNATURE_FAILURE',
    'CERT_CHAIN_TOO_LONG',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_GET_ISSUER_CERT',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'UNABLE_TO_DECRYPT_CERT_SIGNATURE',
    'UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY',
    'ERROR_IN_CERT_NOT_BEFORE_FIELD',
    'ERROR_IN_CERT_NOT_AFTER_FIELD',
    'INVALID_CA',
    'INVALID_PURPOSE',
    'PATH_LENGTH_EXCEEDED',
    'HOSTNAME_MISMATCH',
    'ERR_TLS_CERT_ALTNAME_INVALID',
  ];

  test.each([
    ...certificateCodes,
    'ERR_SSL_UNSUPPORTED_PROTOCOL',
    'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
    'ERR_SSL_NO_PROTOCOLS_AVAILABLE',
  ])('%s', (code) => {
    expect(classifyFailure(fetchFailed({ code }))).toMatchObject({
      outcome: 'not_sent',
      transient: false,
      summary: code,
    });
  });
});

describe('a failure has an unknown outcome:', () => {
  test.each([
    ['a reset while reading', { code: 'ECONNRESET', syscall: 'read' }, 'ECONNRESET (read)'],
    ['a broken pipe', { code: 'EPIPE', syscall: 'write' }, 'EPIPE (write)'],
    ['a socket that was closed', { code: 'UND_ERR_SOCKET', name: 'SocketError' }, 'UND_ERR_SOCKET'],
    ['a time-out of the headers', { code: 'UND_ERR_HEADERS_TIMEOUT' }, 'UND_ERR_HEADERS_TIMEOUT'],
  ])('%s', (_name, link, summary) => {
    expect(classifyFailure(fetchFailed(link))).toMatchObject({
      outcome: 'unknown',
      transient: true,
      summary,
    });
  });

  test('several addresses, if one of them was reached', () => {
    const errors = [systemError('ECONNREFUSED', 'connect'), systemError('ECONNRESET', 'read')];
    expect(classifyFailure(fetchFailedOn(errors))).toMatchObject({ outcome: 'unknown' });
  });

  test.each(['text', null, undefined, 7])(
    'an aggregate of an error that proves nothing (%j) and a refused connection',
    (silent) => {
      const refused = systemError('ECONNREFUSED', 'connect');
      expect(classifyFailure(fetchFailedOn([refused, silent]))).toMatchObject({
        outcome: 'unknown',
        transient: true,
      });
    },
  );

  test('an aggregate whose list of errors has only empty slots', () => {
    expect(classifyFailure({ errors: new Array(2) })).toMatchObject({ outcome: 'unknown' });
  });

  test('aggregates nested more than 18 deep', () => {
    const nested = (depth: number): Error =>
      depth === 0 ? systemError('ECONNREFUSED', 'connect') : new AggregateError([nested(depth - 1)]);
    expect(classifyFailure(nested(18)).outcome).toBe('not_sent');
    expect(classifyFailure(nested(19)).outcome).toBe('unknown');
  });

  test('an aggregate of more than 18 errors, only a few of which are read', () => {
    const refused = systemError('ECONNREFUSED', 'connect');
    expect(classifyFailure(new AggregateError(Array.from({ length: 18 }, () => refused))).outcome).toBe(
      'not_sent',
    );
    expect(classifyFailure(new AggregateError(Array.from({ length: 19 }, () => refused))).outcome).toBe(
      'unknown',
    );
    let reads = 0;
    const tree = (): Error => {
      const error = new AggregateError([]);
      const get = (list: object, key: PropertyKey): unknown => {
        reads += 1;
        return key === 'length' ? 1_000_000 : /^\d/.test(String(key)) ? tree() : Reflect.get(list, key);
      };
      error.errors = new Proxy<unknown[]>([], { get, has: () => true });
      return error;
    };
    expect(classifyFailure(tree()).outcome).toBe('unknown');
    expect(reads).toBeLessThan(5_000);
  });

  test('an outer code about connecting that wraps a different inner code', () => {
    const error = failing(
      { code: 'ECONNREFUSED', syscall: 'connect' },
      { code: 'ECONNRESET', syscall: 'read' },
    );
    expect(classifyFailure(error)).toMatchObject({ outcome: 'unknown' });
  });

  test.each([undefined, null, 'refused', 7, {}, new AggregateError([]), new AggregateError(['text', null])])(
    'a thrown value that proves nothing: %s',
    (error) => {
      expect(classifyFailure(error)).toMatchObject({ outcome: 'unknown', transient: true });
    },
  );

  test('an error whose getters throw, and one that is its own cause', () => {
    const hostile = Object.defineProperty(new Error('x'), 'code', {
      get: () => {
        throw new Error('no');
      },
    });
    expect(classifyFailure(hostile)).toMatchObject({ outcome: 'unknown' });
    const loop: { cause?: unknown } = new Error('x');
    loop.cause = loop;
    expect(classifyFailure(loop)).toMatchObject({ outcome: 'unknown', summary: 'Error' });
    const closed = Object.defineProperty(new Error('x'), 'cause', {
      get: () => {
        throw new Error('no');
      },
    });
    expect(classifyFailure(closed)).toMatchObject({ outcome: 'unknown' });
  });

  test('an aggregate whose errors cannot be read', () => {
    const closed = Object.defineProperty(new Error('x'), 'errors', {
      get: () => {
        throw new Error('no');
      },
    });
    expect(classifyFailure(closed)).toMatchObject({ outcome: 'unknown' });
  });

  test('an aggregate that contains itself', () => {
    const aggregate = new AggregateError([]);
    aggregate.errors.push(aggregate);
    expect(classifyFailure(aggregate)).toMatchObject({ outcome: 'unknown', transient: true });
  });
});

describe('a failure whose transport reports the phase', () => {
  const told = (code: string) => Object.assign(new Error('x'), { code, syscall: 'read' });

  test.each(['sending', 'waiting', 'receiving', 'complete'] as const)(
    'is unknown while %s, whatever its code is',
    (phase) => {
      for (const code of ['ECONNREFUSED', 'ECONNRESET', 'CERT_HAS_EXPIRED', 'ERR_SSL_WRONG_VERSION_NUMBER']) {
        expect(failureIn(told(code), phase)).toMatchObject({ outcome: 'unknown', transient: true, code });
      }
    },
  );

  test.each([
    ['ECONNRESET', true],
    ['ETIMEDOUT', true],
    ['HPE_INVALID_CONSTANT', true],
    ['CERT_HAS_EXPIRED', false],
    ['ERR_SSL_WRONG_VERSION_NUMBER', false],
    ['EPROTO', false],
    ['ERR_TLS_INVALID_PROTOCOL_VERSION', false],
    ['EPROTOTYPE', true],
    ['MY_ERR_SSL_CODE', true],
    ['MY_EPROTO', true],
  ])('is not_sent while connecting: %s, transient: %s', (code, transient) => {
    const failure = failureIn(told(code), 'connecting');
    expect(failure).toMatchObject({ outcome: 'not_sent', transient, code, summary: `${code} (read)` });
    expect(failure.cause).toMatchObject({ code, message: 'x' });
  });

  test.each([undefined, null, 'text', {}])('is called Error if %s was thrown', (error) => {
    expect(failureIn(error, 'waiting')).toMatchObject({ outcome: 'unknown', code: 'Error' });
  });
});
