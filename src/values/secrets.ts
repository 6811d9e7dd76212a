const leastCharacters = 6;

/** A key as it was issued, and as it can be read from its encodings. */
function formsOf(key: string): string[] {
  const bytes = Buffer.from(key);
  const hex = bytes.toString('hex');
  return [key, bytes.toString('base64'), bytes.toString('base64url'), hex, hex.toUpperCase()];
}

/**
 * A text in which no secret key can be read that `sent` does not have anyway. Short keys are ordinary words too, unless
 * they are the whole text.
 */
export function withoutSecrets(text: string, secretKeys: readonly string[], sent = ''): string {
  const isAdded = (form: string) =>
    form === text || (form.length >= leastCharacters && text.split(form).length > sent.split(form).length);
  return (
    secretKeys
      .flatMap(formsOf)
      .filter((form) => form !== '' && isAdded(form))
      // The longest first: another key may be the beginning of it.
      .toSorted((a, b) => b.length - a.length)
      .reduce((masked, form) => masked.replaceAll(form, '<secret key>'), text)
  );
}
