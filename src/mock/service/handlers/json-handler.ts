import { bodyLimits } from '../delivery.js';
import { keptText, type OpenEntry } from '../../state/journal.js';
import { readJson, type JsonMessage } from '../messages.js';
import { refusal } from '../refusal.js';

/** What the three operations that take JSON share. */
export const jsonHandler = {
  bodyLimit: bodyLimits.json,
  tooLarge: refusal('INVALID_REQUEST', 'The body is larger than 1 MiB.'),
  read: readJson,
  note({ bytes, text }: JsonMessage, entry: OpenEntry): void {
    entry.bodyBytes = bytes.length;
    if (text !== undefined) entry.body = keptText(text);
  },
};
