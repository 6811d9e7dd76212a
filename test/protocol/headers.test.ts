import { expect, test } from 'vitest';
import {
  isExactHeaderValue,
  isHeaderName,
  isHeaderValue,
  isReservedForMerchants,
  isReservedForAll,
  mediaTypeOf,
} from '../../src/protocol/headers.js';

const ofTransport = ['Content-Type', 'content-length', 'Content-Encoding', 'Transfer-Encoding', 'connection'];
const alsoOfTransport = ['Keep-Alive', 'Upgrade', 'EXPECT', 'TE', 'Trailer', 'host'];
const ofClient = ['Client-Id', 'SIGNATURE', 'request-time', 'Idempotency-Key', 'User-Agent'];
const ofAnybody = ['Authorization', 'X-Client-Id', 'Accept', 'Accept-Language'];
const noValues = ['\r', '\n', 'a\r\nb', '\0', '\t', '\u007f', '\u0080', '\u009f', 'ế', '日', '\u0100', 'a\n'];

test.each([
  ['a header value', isHeaderValue, ['', 'plain', 'two words', ' ends ', '\u00a0é\u00ff', '~!"#'], noValues],
  [
    'a value that arrives unchanged',
    isExactHeaderValue,
    ['key 1'],
    ['', ' key', 'key ', '\u00a0key', ...noValues],
  ],
  [
    'a header name',
    isHeaderName,
    ['X-Trace', 'a', "!#$%&'*+.^_`|~0"],
    ['', 'X Trace', 'X:Trace', 'Größe', 'a\n', '(a)'],
  ],
  [
    'a header that is reserved for all callers',
    isReservedForAll,
    [...ofTransport, ...alsoOfTransport],
    [...ofClient, ...ofAnybody],
  ],
  [
    'a header that is reserved for merchants',
    isReservedForMerchants,
    [...ofTransport, ...alsoOfTransport, ...ofClient],
    ofAnybody,
  ],
])('%s is recognised, and similar text is not', (_name, isOne, ones, others) => {
  expect(ones.filter((each) => !isOne(each))).toEqual([]);
  expect(others.filter(isOne)).toEqual([]);
});

test.each([
  [undefined, ''],
  ['', ''],
  ['application/json', 'application/json'],
  ['Application/JSON', 'application/json'],
  ['  text/plain  ', 'text/plain'],
  ['application/json; charset=utf-8', 'application/json'],
  ['application/json ;charset=utf-8;x=y', 'application/json'],
  ['; charset=utf-8', ''],
])('the media type of %j is "%s"', (contentType, mediaType) => {
  expect(mediaTypeOf(contentType)).toBe(mediaType);
});
