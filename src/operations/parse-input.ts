import type * as z from 'zod/mini';
import type { CallSubject } from '../errors/call-metadata.js';
import { invalidInput } from '../errors/make-error.js';
import { unknownOption } from '../validation/parse-options.js';
import type { MerchantOperation } from '../protocol/endpoints.js';
import { isReferenceId } from '../protocol/field-rules.js';
import { parseWith, refusedAt, type Parsed } from '../protocol/issues.js';
import { namesAt } from '../validation/schema-names.js';
import { isRecord, readProperty } from '../values/untrusted-values.js';

/**
 * Adds the client's defaults for the fields that a request leaves out. A request that is not an object is returned
 * unchanged, because the schema refuses such a request.
 */
function withDefaults(request: unknown, defaults: Readonly<Record<string, unknown>>): unknown {
  if (!isRecord(request)) return request;
  const complete = { ...request };
  for (const [name, value] of Object.entries(defaults)) {
    if (complete[name] === undefined) complete[name] = value;
  }
  return complete;
}

/** Parses input. A getter that throws is reported as an issue. */
export function parseInput<T>(parse: () => Parsed<T>): Parsed<T> {
  try {
    return parse();
  } catch {
    return refusedAt([], 'cannot be read: one of its fields throws');
  }
}

const unsentProblem =
  'is inherited or a getter of a class, so it would not be sent: copy it, as in ' +
  '{ ...order, referenceId: order.referenceId }';

/**
 * True for a property that can be read, but would not be sent: JSON contains only the enumerable properties of the
 * object itself.
 */
function isUnsent(object: object, name: string): boolean {
  const isSent = Object.prototype.propertyIsEnumerable.call(object, name);
  return !isSent && readProperty(object, name) !== undefined;
}

/** Refuses a request with fields that the caller can read, but that would not be sent. */
function refuseUnsentFields<T>(parsed: Parsed<T>, schema: z.ZodMiniType<T>, request: unknown): Parsed<T> {
  if (!isRecord(request)) return parsed;
  const unsent = namesAt(schema, [])?.filter((name) => isUnsent(request, name)) ?? [];
  if (unsent.length === 0) return parsed;
  const otherIssues =
    'issues' in parsed ? parsed.issues.filter(({ path }) => !unsent.includes(String(path[0]))) : [];
  return { issues: [...otherIssues, ...unsent.flatMap((name) => refusedAt([name], unsentProblem).issues)] };
}

/** Parses a request with the client's defaults. `hint` is the advice in the message about an unknown field. */
export function parseRequest<T>(
  schema: z.ZodMiniType<T>,
  request: unknown,
  defaults: Readonly<Record<string, unknown>>,
  hint?: string,
): Parsed<T> {
  return parseInput(() =>
    refuseUnsentFields(parseWith(schema, withDefaults(request, defaults), { hint }), schema, request),
  );
}

/** Refuses a request that lacks a required field (a key of `defaults`), unless the client has a default for it. */
export function requireFields(
  request: unknown,
  defaults: Readonly<Record<string, unknown>>,
): Parsed<undefined> {
  if (!isRecord(request)) return { value: undefined };
  const issues = Object.entries(defaults)
    .filter(([name, value]) => value === undefined && readProperty(request, name) === undefined)
    .flatMap(
      ([name]) => refusedAt([name], 'is required: pass it here, or once as an option of the client').issues,
    );
  return issues.length === 0 ? { value: undefined } : { issues };
}

/** Parses the options of a call. The paths of the issues begin with `options`. */
export function parseCallOptions<T extends object>(rules: z.ZodMiniType<T>, options: unknown): Parsed<T> {
  const parsed = parseInput(() => parseWith(rules, options, unknownOption));
  if ('value' in parsed) return parsed;
  return { issues: parsed.issues.map((issue) => ({ ...issue, path: ['options', ...issue.path] })) };
}

/** The subject of an error about invalid input, with the `referenceId` of the input if the `referenceId` is valid. */
export function subjectOf(operation: MerchantOperation, request: unknown): CallSubject {
  const referenceId = readProperty(request, 'referenceId');
  return typeof referenceId === 'string' && isReferenceId(referenceId)
    ? { operation, referenceId }
    : { operation };
}

/** True if the options have `mayHaveBeenSent: true`. The other options can be invalid. */
export function isRepeat(options: unknown): boolean {
  return readProperty(options, 'mayHaveBeenSent') === true;
}

/**
 * Returns the values of all parts of the input. If any part is invalid, throws one error with the issues of all parts.
 */
export function allOrThrow<Values extends readonly unknown[]>(
  subject: CallSubject,
  options: unknown,
  ...parts: { readonly [Index in keyof Values]: Parsed<Values[Index]> }
): Values {
  const issues = parts.flatMap((part) => ('issues' in part ? part.issues : []));
  if (issues.length > 0) throw invalidInput(issues, subject, { mayHaveBeenSent: isRepeat(options) });
  return parts.map((part) => 'value' in part && part.value) as unknown as Values;
}
