import { describe, expect, test } from 'vitest';
import { cases, type Case } from './corpus.js';
import { leadsToSignature } from './resign.js';
import { merchant, otherMerchant, ofPayment, ofUpload } from './support.js';

function explained(given: Case) {
  const { operation, body, fields, signature, secretKeyEncoding, signatureEncoding } = given;
  const withKey = { ...merchant, secretKeys: [given.secretKey] as const };
  const otherKey = Buffer.from(otherMerchant.secretKeys[0]).toString(secretKeyEncoding);
  const others = [{ ...otherMerchant, secretKeys: [otherKey] as const }];
  const own = { merchant: withKey, others, secretKeyEncoding, signatureEncoding };
  return operation === 'payment' ? ofPayment(signature, body, own) : ofUpload(signature, fields, own);
}

const all = cases.map((each) => ({ ...each, ...explained(each) }));

describe('a mistake that a library leads to', () => {
  test('is explained in more than 95 of 100 cases', () => {
    const unexplained = all.filter(({ cause }) => cause === 'unexplained').map(({ name }) => name);
    expect(unexplained).toEqual([
      'PHP: JSON_FORCE_OBJECT',
      'PHP: htmlspecialchars',
      'PHP: addslashes (wp_slash of WordPress)',
      'Python: floats, json.dumps',
      'Python: json.dumps twice with escapes',
      'Python: sent compact, signed with indent=3',
      '.NET: Newtonsoft, EscapeHtml',
      'pair: sort_keys and a quoted key',
    ]);
    expect(cases).toHaveLength(307);
    expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
  });

  test('is explained by words that lead to its signature, and by no word that is not needed for it', () => {
    const wrong = all.flatMap((each) => {
      if (each.cause === 'unexplained') return [];
      const sentences = each.message.split(/(?<=\.) (?=The |Fields |All |An |invoiceDate |extraData )/);
      const fewer = sentences.map((_sentence, index) => sentences.toSpliced(index, 1).join(' '));
      const isTrue = leadsToSignature(each, each.message);
      const needless = fewer.filter((message) => {
        try {
          return leadsToSignature(each, message);
        } catch {
          return false;
        }
      });
      return isTrue && needless.length === 0 ? [] : [`${each.name}: ${each.message}`];
    });
    expect(wrong).toEqual([]);
  });
});
