import { describe, expect, it } from 'vitest';
import {
  isExactHeaderValue,
  isHeaderName,
  isHeaderValue,
  isReservedHeader,
  isTransportHeader,
} from '../../src/protocol/headers.js';

describe('header values', () => {
  it.each(['', 'plain', 'two words', ' ends ', '\u00a0é\u00ff', '~!"#'])('%j can be sent', (value) => {
    expect(isHeaderValue(value)).toBe(true);
  });

  it.each(['\r', '\n', 'a\r\nb', '\0', '\t', '\u007f', '\u0080', '\u009f', 'ế', '日', '\u0100', 'a\n'])(
    '%j cannot',
    (value) => {
      expect(isHeaderValue(value)).toBe(false);
      expect(isExactHeaderValue(value)).toBe(false);
    },
  );

  it('arrives as it was given only when it is not empty and has no white space at its ends', () => {
    expect(isExactHeaderValue('key 1')).toBe(true);
    for (const value of ['', ' key', 'key ', '\u00a0key']) expect(isExactHeaderValue(value)).toBe(false);
  });
});

describe('header names', () => {
  it.each(['X-Trace', 'a', "!#$%&'*+.^_`|~0"])('%j is one', (name) => {
    expect(isHeaderName(name)).toBe(true);
  });

  it.each(['', 'X Trace', 'X:Trace', 'Größe', 'a\n', '(a)'])('%j is none', (name) => {
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
  ])('%s is reserved, in any case', (name) => {
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
    '%s is reserved, but says nothing of how the bytes travel',
    (name) => {
      expect(isTransportHeader(name)).toBe(false);
      expect(isReservedHeader(name)).toBe(true);
    },
  );

  it.each(['Authorization', 'X-Client-Id', 'Accept-Language'])('%s is free', (name) => {
    expect(isReservedHeader(name)).toBe(false);
  });
});
