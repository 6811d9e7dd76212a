import { describe, expect, it } from 'vitest';
import { transportFailure } from '../../src/http/failures.js';

const failing = (...links: object[]): unknown =>
  links.reduceRight<unknown>(
    (cause, link) => Object.assign(new Error('x', cause ? { cause } : {}), link),
    undefined,
  );

const fetchFailed = (link: object): unknown => failing({ name: 'TypeError' }, link);
const fetchFailedOn = (errors: unknown[]): unknown =>
  new TypeError('x', { cause: new AggregateError(errors) });

describe('certainly not sent, and worth a repeat', () => {
  it.each([
    [{ code: 'ECONNREFUSED', syscall: 'connect' }],
    [{ code: 'ENOTFOUND', syscall: 'getaddrinfo' }],
    [{ code: 'EAI_AGAIN', syscall: 'getaddrinfo' }],
    [{ code: 'UND_ERR_CONNECT_TIMEOUT', name: 'ConnectTimeoutError' }],
    [{ code: 'ECONNRESET', syscall: 'connect' }],
    [{ code: 'ETIMEDOUT', syscall: 'connect' }],
    [{ code: 'EHOSTUNREACH', syscall: 'connect' }],
    [{ code: 'ConnectionRefused' }],
  ])('%j', (link) => {
    expect(transportFailure(fetchFailed(link))).toMatchObject({ outcome: 'not_sent', transient: true });
  });

  it('several addresses of one name, all of which failed to connect', () => {
    const errors = [
      Object.assign(new Error('a'), { code: 'ECONNREFUSED', syscall: 'connect' }),
      Object.assign(new Error('b'), { code: 'ENETUNREACH', syscall: 'connect' }),
    ];
    const failure = transportFailure(fetchFailedOn(errors));
    expect(failure).toMatchObject({
      outcome: 'not_sent',
      transient: true,
      description: 'ECONNREFUSED (connect)',
    });
  });
});

describe('certainly not sent, and the same next time', () => {
  it.each([
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'CERT_HAS_EXPIRED',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'ERR_SSL_UNSUPPORTED_PROTOCOL',
  ])('%s', (code) => {
    expect(transportFailure(fetchFailed({ code }))).toMatchObject({
      outcome: 'not_sent',
      transient: false,
      description: code,
    });
  });
});

describe('unknown', () => {
  it.each([
    ['a reset while reading', { code: 'ECONNRESET', syscall: 'read' }, 'ECONNRESET (read)'],
    ['a broken pipe', { code: 'EPIPE', syscall: 'write' }, 'EPIPE (write)'],
    ['a socket that was closed', { code: 'UND_ERR_SOCKET', name: 'SocketError' }, 'UND_ERR_SOCKET'],
    ['a time-out of the headers', { code: 'UND_ERR_HEADERS_TIMEOUT' }, 'UND_ERR_HEADERS_TIMEOUT'],
  ])('%s', (_name, link, description) => {
    expect(transportFailure(fetchFailed(link))).toMatchObject({
      outcome: 'unknown',
      transient: true,
      description,
    });
  });

  it('one address that was reached among others that were not', () => {
    const errors = [
      Object.assign(new Error('a'), { code: 'ECONNREFUSED', syscall: 'connect' }),
      Object.assign(new Error('b'), { code: 'ECONNRESET', syscall: 'read' }),
    ];
    expect(transportFailure(fetchFailedOn(errors))).toMatchObject({ outcome: 'unknown' });
  });

  it('an outer code that sounds like connecting, around an inner one that does not', () => {
    const error = failing(
      { code: 'ECONNREFUSED', syscall: 'connect' },
      { code: 'ECONNRESET', syscall: 'read' },
    );
    expect(transportFailure(error)).toMatchObject({ outcome: 'unknown' });
  });

  it.each([undefined, null, 'refused', 7, {}, new AggregateError([]), new AggregateError(['text', null])])(
    'what is thrown but says nothing: %s',
    (error) => {
      expect(transportFailure(error)).toMatchObject({ outcome: 'unknown', transient: true });
    },
  );

  it('an error whose getters throw, and a chain without end', () => {
    const hostile = Object.defineProperty(new Error('x'), 'code', {
      get: () => {
        throw new Error('no');
      },
    });
    expect(transportFailure(hostile)).toMatchObject({ outcome: 'unknown' });
    const loop: { cause?: unknown } = new Error('x');
    loop.cause = loop;
    expect(transportFailure(loop)).toMatchObject({ outcome: 'unknown', description: 'Error' });
    const closed = Object.defineProperty(new Error('x'), 'cause', {
      get: () => {
        throw new Error('no');
      },
    });
    expect(transportFailure(closed)).toMatchObject({ outcome: 'unknown' });
  });

  it('an aggregate whose errors cannot be read', () => {
    const closed = Object.defineProperty(new Error('x'), 'errors', {
      get: () => {
        throw new Error('no');
      },
    });
    expect(transportFailure(closed)).toMatchObject({ outcome: 'unknown' });
  });

  it('an aggregate that holds itself', () => {
    const aggregate = new AggregateError([]);
    aggregate.errors.push(aggregate);
    expect(transportFailure(aggregate)).toMatchObject({ outcome: 'unknown', transient: true });
  });
});
