import { expect, test } from 'vitest';
import { differentFutures } from '../../orders/search/different-futures.js';
import { largerModels, nightlyModels, smallModels } from '../../orders/search/models.js';

test.each([...smallModels, ...largerModels, ...nightlyModels])(
  'states of the model $name with the same fingerprint have the same future',
  { timeout: 600_000 },
  (model) => {
    expect(differentFutures(model)).toEqual([]);
  },
);
