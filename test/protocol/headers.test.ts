import { describe, expect, it } from 'vitest';
import {
  isExactHeaderValue,
  isHeaderName,
  isHeaderValue,
  isReservedHeader,
  isTransportHeader,
} from '../../src/protocol/headers.js';

describe('a header value', () => {
  it.each(['', 'plain', 'two words', ' ends ', '\u00a0é\u00ff', '~!"#'])('may be %j', (value) => {
    expect(isHeaderValue(value)).toBe(true);
  });

  it.each(['\r', '\n', 'a\r\nb', '\0', '\t', '\u007f', '\u0080', '\u009f', 'ế', '日', '\u0100', 'a\n'])(
    'cannot be %j',
    (value) => {
      expect(isHeaderValue(value)).toBe(false);
      expect(isExactHeaderValue(value)).toBe(false);
    },
  );

  it('is exact only if it is not empty and has no white space at its ends', () => {
    expect(isExactHeaderValue('key 1')).toBe(true);
    for (const value of ['', ' key', 'key ', '\u00a0key']) expect(isExactHeaderValue(value)).toBe(false);
  });
});

describe('a header name', () => {
  it.each(['X-Trace', 'a', "!#$%&'*+.^_`|~0"])('may be %j', (name) => {
    expect(isHeaderName(name)).toBe(true);
  });

  it.each(['', 'X Trace', 'X:Trace', 'Größe', 'a\n', '(a)'])('cannot be %j', (name) => {
    expect(isHeaderName(name)).toBe(false);
  });

  it.each([
    'Client-Id',
    'SIGNATURE',
    'request-time',
    'Idempotency-Key',
    'content-type',
    'User-Agent',
    'Host',
  ])('%s is reserved, in upper and lower case', (name) => {
    expect(isReservedHeader(name)).toBe(true);
    expect(isReservedHeader(name.toLowerCase())).toBe(true);
  });

  it.each([
    'Content-Type',
    'content-length',
    'Content-Encoding',
    'Transfer-Encoding',
    'connection',
    'Keep-Alive',
    'Upgrade',
    'EXPECT',
    'TE',
    'Trailer',
    'host',
  ])('%s says how the bytes travel, and is nobody else\u2019s to set', (name) => {
    expect(isTransportHeader(name)).toBe(true);
    expect(isReservedHeader(name)).toBe(true);
  });

  it.each(['Client-Id', 'Signature', 'Request-Time', 'Idempotency-Key', 'User-Agent'])(
    '%s is reserved, but is not a header of the transport',
    (name) => {
      expect(isTransportHeader(name)).toBe(false);
      expect(isReservedHeader(name)).toBe(true);
    },
  );

  it.each(['Authorization', 'X-Client-Id', 'Accept', 'Accept-Language'])('%s is not reserved', (name) => {
    expect(isReservedHeader(name)).toBe(false);
  });
});
