import type { CallMetadata, ResultMetadata, WithMetadata } from './call-metadata.js';
import { isRecord, readProperty } from '../values/untrusted-values.js';

/**
 * How the call went that a result or an error comes from. It is undefined for any other value, and for a copy of a result:
 * `$metadata` is not enumerable, so spread and JSON leave it out.
 *
 * @example
 * ```ts
 * import { metadataOf } from 'installment-payments';
 *
 * export function attemptsBehind(resultOrError: unknown): number {
 *   return metadataOf(resultOrError)?.attempts.length ?? 0;
 * }
 * ```
 */
export function metadataOf(result: WithMetadata): ResultMetadata | undefined;
export function metadataOf(value: unknown): CallMetadata | undefined;
export function metadataOf(value: unknown): CallMetadata | undefined {
  const metadata = readProperty(value, '$metadata');
  // The service may send a field of this name, which is enumerable in a copy.
  const isOurs = isRecord(metadata) && Array.isArray(metadata['attempts']);
  return isOurs ? (metadata as unknown as CallMetadata) : undefined;
}
