import { expect, test } from 'vitest';
import { paymentRequestSchema } from '../../src/entries/index.js';
import { parseUrl } from '../../src/protocol/urls.js';
import { demo, paymentRequest } from '../helpers/samples.js';

// Node 20's URL.canParse refuses such text after about 4,000 calls, when it has been optimised.
const often = 20_000;

test('a URL with Vietnamese letters in its host is accepted however often it is checked', () => {
  const refused = Array.from({ length: often }, () => parseUrl('https://nhàhàng.example/paid')).filter(
    (url) => url?.href !== 'https://xn--nhhng-sqab.example/paid',
  );

  expect(refused).toHaveLength(0);
});

test('a payment with such redirect URLs is accepted however often it is checked', () => {
  const successRedirectUrl = 'https://nhàhàng.example/paid';
  const { merchantId, storeId, platformId } = demo;
  const order = { ...paymentRequest({ successRedirectUrl }), merchantId, storeId, platformId };
  let accepted = 0;
  for (let time = 0; time < often; time++) if (paymentRequestSchema.safeParse(order).success) accepted++;

  expect(accepted).toBe(often);
});
