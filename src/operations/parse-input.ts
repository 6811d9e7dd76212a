import type { CallSubject } from '../errors/call-metadata.js';
import { ValidationError } from '../errors/errors.js';
import type { MerchantOperation } from '../protocol/endpoints.js';
import { isReferenceId } from '../protocol/reference-id.js';
import type { Parsed, ValidationIssue } from '../protocol/issues.js';

/** The request with the client's defaults where it has nothing of its own. What is no object is left for the schema. */
export function withDefaults(request: unknown, defaults: Readonly<Record<string, unknown>>): unknown {
  if (typeof request !== 'object' || request === null || Array.isArray(request)) return request;
  const complete: Record<string, unknown> = { ...request };
  for (const [name, value] of Object.entries(defaults)) {
    if (complete[name] === undefined && value !== undefined) complete[name] = value;
  }
  return complete;
}

/** Parses input that may be hostile: a getter that throws is a broken rule like any other. `path` says of which input. */
export function parseInput<T>(parse: () => Parsed<T>, path: readonly string[] = []): Parsed<T> {
  try {
    return parse();
  } catch {
    return {
      issues: [
        { path, message: 'cannot be read: one of its fields throws', resultStatus: 'INVALID_REQUEST' },
      ],
    };
  }
}

/** The subject that an error about unusable input names: its reference, if that much can be used. */
export function subjectOf(operation: MerchantOperation, request: unknown): CallSubject {
  try {
    const referenceId: unknown =
      Object(request) === request ? Reflect.get(request as object, 'referenceId') : undefined;
    return typeof referenceId === 'string' && isReferenceId(referenceId)
      ? { operation, referenceId }
      : { operation };
  } catch {
    return { operation };
  }
}

/** What both parts of the input came to; every broken rule of both in one error. */
export function bothOrThrow<A, B>(request: Parsed<A>, options: Parsed<B>, subject: CallSubject): [A, B] {
  if ('value' in request && 'value' in options) return [request.value, options.value];
  const issues: ValidationIssue[] = [];
  for (const parsed of [request, options]) if ('issues' in parsed) issues.push(...parsed.issues);
  throw new ValidationError(issues, subject);
}
