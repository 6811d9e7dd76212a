const leastCharacters = 6;

/** The forms in which a key can appear: as it was issued, and in its encodings. */
function formsOf(key: string): string[] {
  const bytes = Buffer.from(key);
  const hex = bytes.toString('hex');
  return [key, bytes.toString('base64'), bytes.toString('base64url'), hex, hex.toUpperCase()];
}

/**
 * Masks the secret keys in a text. `sent` is a text that the reader already has, such as the body that was sent: a key
 * in `sent` is masked only if the text contains the key more often than `sent`. Short keys can be ordinary words, so
 * they are masked only if they are the whole text.
 */
export function withoutSecrets(text: string, secretKeys: readonly string[], sent = ''): string {
  const isAdded = (form: string) =>
    form === text || (form.length >= leastCharacters && text.split(form).length > sent.split(form).length);
  return (
    secretKeys
      .flatMap(formsOf)
      .filter((form) => form !== '' && isAdded(form))
      // The longest form is masked first, because a shorter form can be the beginning of a longer form.
      .toSorted((a, b) => b.length - a.length)
      .reduce((masked, form) => masked.replaceAll(form, '<secret key>'), text)
  );
}
