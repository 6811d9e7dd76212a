import { isInstallmentError, type AnyInstallmentError } from '../../src/entries/index.js';
import { rejection } from '../helpers/samples.js';

/** The error that a call ends with. Anything but an error of this package fails the test. */
export async function failure(call: Promise<unknown>): Promise<AnyInstallmentError> {
  const error = await rejection(call);
  if (!isInstallmentError(error)) throw error;
  return error;
}

/** The facts of an error that these tests compare. */
export function summary({ code, outcome, retryable, $metadata }: AnyInstallmentError) {
  return { code, outcome, retryable, attempts: $metadata?.attempts.length };
}
