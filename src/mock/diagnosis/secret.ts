import type { Advice, Ingredient, Rarity } from './draft.js';
import type { Mistake } from './types.js';

/** The key of the HMAC as bytes. */
export type Secret = Buffer;

export type ChangeSecret = (secret: Secret) => Secret | string | undefined;

/** A mistake in the key. */
export function secretIngredient(
  id: Mistake,
  rarity: Rarity,
  message: string,
  fix: Advice,
  change: ChangeSecret,
): Ingredient<Secret> {
  return {
    id,
    rarity,
    message,
    fix,
    apply: (secret) => {
      const changed = change(secret);
      return changed === undefined ? undefined : Buffer.from(changed);
    },
  };
}
