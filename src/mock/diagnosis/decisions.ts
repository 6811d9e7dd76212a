import type { AbsentFields } from '../../protocol/canonical-string.js';
import type { SignatureEncoding } from '../../protocol/signature.js';

/** A choice of this package where the specification says nothing. */
export interface Decision {
  readonly says: string;
  /** The mistakes that are mistakes because of it. */
  readonly ids: readonly string[];
}

export const keyDecision: Decision = {
  says: 'the secret key is used as UTF-8 text',
  ids: ['secret-decoded', 'secret-encoding'],
};

export function notationDecision(encoding: SignatureEncoding): Decision {
  return {
    says: `the signature of a payment is written in ${encoding === 'hex' ? 'lower-case hex' : 'base64'}`,
    ids: ['digest-upper-case', 'digest-base64', 'digest-hex'],
  };
}

export function absentFieldsDecision(absentFields: AbsentFields): Decision {
  const stand = absentFields === 'empty' ? 'stand in it with an empty value' : 'are left out of it';
  return {
    says: `the canonical string of an upload has the fields that are sent; those that are not ${stand}`,
    ids: ['absent-fields-omitted', 'absent-fields-included', 'absent-fields-as-text'],
  };
}

/** The closing line about the decisions that a result rests on; undefined where it rests on none. */
export function decidedBy(decisions: readonly Decision[]): string | undefined {
  if (decisions.length === 0) return undefined;
  const said = decisions.map(({ says }) => says).join('; ');
  return `Decided by this package, as the specification does not say: ${said}.`;
}
