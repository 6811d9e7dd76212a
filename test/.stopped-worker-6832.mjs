var __defProp = Object.defineProperty;
var __export = (target, all) => {
  for (var name in all)
    __defProp(target, name, { get: all[name], enumerable: true });
};

// test/databases/worker.ts
import { readFileSync, writeSync } from "node:fs";
import { setTimeout as pause3 } from "node:timers/promises";

// src/orders/order-payments.ts
import { randomUUID as randomUUID3 } from "node:crypto";
import * as z8 from "zod/mini";

// src/protocol/limits.ts
var maxReferenceLength = 60;
var maxItems = 200;
var usualPhoneDigits = [10, 11];
var maxInvoices = 3;
var maxFileMegabytes = 5;
var maxFileBytes = maxFileMegabytes * 1024 * 1024;
var longestTimerMs = 2 ** 31 - 1;

// src/protocol/result-statuses.ts
var severity = { not_sent: 0, rejected: 1, unknown: 2 };
function worseOf(a, b) {
  return severity[b] > severity[a] ? b : a;
}
function row(outcome, retried) {
  return (meaning, action) => Object.freeze({ meaning, action, outcome, retried });
}
var accepted = row("accepted", false);
var rejected = row("rejected", false);
var pending = row("unknown", true);
var unclear = row("unknown", false);
var resultStatuses = Object.freeze({
  initiatePayment: Object.freeze({
    APPROVED: accepted("The request was approved.", "Send the customer to paymentUrl, or show qrData."),
    ACCESS_DENIED: rejected("Access is denied.", "Check how the merchant is set up, or contact support."),
    INVALID_REQUEST: rejected("The request is invalid.", "Correct the fields, then send the request again."),
    INVALID_REFERENCE_ID: rejected(
      "The referenceId is invalid.",
      "Send the request again with a valid referenceId."
    ),
    INVALID_STORE_ID: rejected("The storeId is invalid.", "Send the request again with the correct storeId."),
    // Taken to mean that a payment with this reference exists, which may be the caller's own.
    DUPLICATE_REFERENCE_ID: unclear(
      "The referenceId was used before.",
      "Look that payment up. Use another referenceId only if no call for this order can have created it."
    ),
    INVALID_CLIENT_ID: rejected("The client ID is not registered.", "Use a registered client ID."),
    INVALID_SIGNATURE: rejected(
      "The HMAC signature is invalid.",
      "Recompute it with the correct secret key and request body: check that the key belongs to this client ID and environment, and that nothing changes the body on its way."
    ),
    INVALID_MERCHANT_ID: rejected("The merchant is not registered.", "Check the merchantId."),
    INVALID_HTTP_METHOD: rejected("The HTTP method is invalid.", "Use the documented method."),
    INVALID_API: rejected("The API is not defined.", "Check the base URL and the endpoint."),
    INVALID_AMOUNT: rejected("The payment amount is invalid.", "Check the amount."),
    PHONE_NUMBER_UNAVAILABLE: rejected(
      "The phone number is unavailable.",
      `Use a phone number of the documented length, usually ${usualPhoneDigits.join(" or ")} digits.`
    ),
    PHONE_NUMBER_INVALID: rejected("The phone number is invalid.", "Use a valid phone number."),
    AMOUNT_EXCEEDED_UPPER_LIMIT: rejected(
      "The amount is above the configured limit.",
      "Lower the amount, or contact support."
    ),
    AMOUNT_BELOW_MINIMUM_LIMIT: rejected(
      "The amount is below the configured minimum.",
      "Raise the amount, or contact support."
    ),
    REQUEST_PROCESSING: pending(
      "The request was processed already, or is in progress.",
      "Monitor its status, or send the same request again later, with mayHaveBeenSent: true. If that does not end, ask the service."
    ),
    DOWNSTREAM_ERROR: pending(
      "A partner of the service timed out.",
      "Send the same request again later, with mayHaveBeenSent: true; the error may be temporary. If it persists, ask the service."
    ),
    ERROR_GENERAL: rejected("Declined because of a general error.", "Contact support if it persists.")
  }),
  uploadInvoice: Object.freeze({
    APPROVED: accepted("The invoice was uploaded.", "None."),
    ACCESS_DENIED: rejected(
      "Access is denied.",
      "Check how the merchant is set up and what it is authorized for."
    ),
    INVALID_REQUEST: rejected(
      "A field is missing or has a wrong format, JSON is malformed, or the like.",
      "Correct the request, then send it again."
    ),
    INVALID_REFERENCE_ID: rejected(
      "The referenceId does not exist or does not match.",
      "Check the referenceId, and that its payment is confirmed; then send the upload again."
    ),
    INVALID_STORE_ID: rejected("The storeId is invalid where one is required.", "Use a valid storeId."),
    INVALID_FILE_TYPE: rejected(
      "The file type is not supported.",
      "Use a jpg, png, pdf or xml file, or a fileUrl of a jpg, png or pdf."
    ),
    FILE_TOO_LARGE: rejected(
      `The file is larger than ${maxFileMegabytes} MB.`,
      "Make the file smaller, then send it again."
    ),
    LIMIT_EXCEEDED: rejected(
      `The referenceId has ${maxInvoices} invoices already.`,
      "Remove one through the portal or support, or skip this invoice."
    ),
    ERROR_GENERAL: unclear("Another error.", "Contact support.")
  })
});
var { initiatePayment, uploadInvoice } = resultStatuses;
var rows = { ...initiatePayment, ...uploadInvoice };
var documentedStatuses = Object.keys(rows);
function errorStatusInfo(operation4, status) {
  const own = resultStatuses[operation4];
  return own[status] ?? rows[status];
}
function isRefusal(status) {
  const tables = Object.values(resultStatuses);
  const outcomes = tables.filter((table) => Object.hasOwn(table, status)).map((table) => table[status]?.outcome);
  return outcomes.length > 0 && outcomes.every((outcome) => outcome === "rejected");
}
function isResultStatus(status) {
  return Object.hasOwn(rows, status);
}
function isErrorStatus(status) {
  return status !== "APPROVED" && isResultStatus(status);
}

// src/protocol/field-rules.ts
import * as z from "zod/mini";

// src/values/kind-of-value.ts
import { isDate } from "node:util/types";
var className = /^[A-Z]\w{0,30}$/;
function kindOfObject(value) {
  if (Array.isArray(value)) return "an array";
  if (isDate(value) && Number.isNaN(value.getTime())) return "an invalid Date";
  const tag = Object.prototype.toString.call(value).slice("[object ".length, -1);
  if (tag === "Object" || !className.test(tag)) return "an object";
  return `${/^[AEIO]/.test(tag) ? "an" : "a"} ${tag}`;
}
function kindOf(value) {
  if (value === null || value === void 0) return String(value);
  if (typeof value === "object") return kindOfObject(value);
  if (typeof value !== "number" || Number.isFinite(value)) return `a ${typeof value}`;
  return Number.isNaN(value) ? "NaN" : "Infinity";
}
function finding(value) {
  if (typeof value === "number" && Number.isFinite(value)) {
    if (value < 0) return "is negative";
    if (!Number.isInteger(value)) return "has a fraction";
  }
  return `got ${kindOf(value)}`;
}

// src/values/untrusted-values.ts
function valueOf(work) {
  try {
    return work();
  } catch {
    return void 0;
  }
}
async function ignoreErrors(work) {
  try {
    await work();
  } catch {
  }
}
function jsonIn(text2) {
  return valueOf(() => JSON.parse(text2));
}
function isRecord(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
function isPlainObject(value) {
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
function readProperty(value, key2) {
  return valueOf(() => Object(value) === value ? Reflect.get(value, key2) : void 0);
}
function numberAt(value, key2) {
  const found = readProperty(value, key2);
  return typeof found === "number" && Number.isFinite(found) ? found : void 0;
}
function present(record) {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== void 0));
}
function hasMethods(value, names) {
  return typeof value === "object" && value !== null && names.every((name) => typeof readProperty(value, name) === "function");
}

// src/protocol/timestamps.ts
import { isDate as isDate2 } from "node:util/types";
var minuteMs = 6e4;
var offsetShape = /^([+-])([01]\d|2[0-3]):([0-5]\d)$/;
var vietnamOffset = "+07:00";
var vietnamOffsetMinutes = 7 * 60;
function parseOffset(offset) {
  const match = offsetShape.exec(offset);
  if (!match) return void 0;
  const minutes = Number(match[2]) * 60 + Number(match[3]);
  return match[1] === "-" ? -minutes : minutes;
}
var firstInstant = Date.parse("0001-01-01T00:00:00Z");
var lastInstant = Date.parse("9998-12-31T23:59:59.999Z");
function isWireInstant(value) {
  return isDate2(value) && value.getTime() >= firstInstant && value.getTime() <= lastInstant;
}
function wallClock(instant, offsetMinutes2) {
  return new Date(instant.getTime() + offsetMinutes2 * minuteMs).toISOString().slice(0, 19);
}
function requestTime(instant, offsetMinutes2) {
  return wallClock(instant, offsetMinutes2).replace("T", " ");
}
var utcForm = {
  shape: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/,
  form: "yyyy-MM-ddTHH:mm:ssZ, such as 2026-11-20T09:30:00Z",
  write: (instant) => `${wallClock(instant, 0)}Z`
};
var dayShape = /^\d{2}-\d{2}-\d{4}$/;
function isRealMoment(text2) {
  const instant = /* @__PURE__ */ new Date(`${text2}Z`);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(text2);
}
function isTimestamp(text2, { shape }) {
  return shape.test(text2) && isRealMoment(text2.slice(0, 19).replace(" ", "T"));
}
function isCalendarDay(text2) {
  return dayShape.test(text2) && isRealMoment(`${text2.split("-").reverse().join("-")}T00:00:00`);
}

// src/protocol/field-rules.ts
function wrongKind(rule, input) {
  return input === void 0 ? `is required and ${rule}` : `${rule}; ${finding(input)}`;
}
function withNullAdvice(message, input) {
  return input === null ? `${message}: leave the field out` : message;
}
function wrongOptional(rule, input) {
  return withNullAdvice(wrongKind(rule, input), input);
}
function expected(rule, missing = `is required and ${rule}`) {
  return {
    error: ({ code, input }) => {
      if (input === void 0) return missing;
      const isOtherKind = code === "invalid_type" || code === "invalid_value" && typeof input !== "string";
      return isOtherKind ? wrongKind(rule, input) : rule;
    }
  };
}
function optional2(schema) {
  const { def } = schema;
  const messageOf2 = def.error;
  const error2 = (issue) => {
    const message = messageOf2?.(issue);
    return typeof message === "string" ? withNullAdvice(message, issue.input) : message;
  };
  return z.optional(schema.clone({ ...def, error: error2 }));
}
function converted(schema, convert) {
  const conversion = z.transform((input, { issues }) => {
    const refuse = (message, { path = [], params } = {}) => {
      issues.push({ code: "custom", input, message, path: [...path], params });
      return z.NEVER;
    };
    return convert(input, refuse);
  });
  return z.pipe(schema, conversion);
}
var unknownField = "unknown field";
function object(example = "") {
  const { error: error2 } = expected(`must be an object${example && `, such as ${example}`}`);
  return {
    error: (issue) => issue.code === "unrecognized_keys" ? unknownField : error2(issue)
  };
}
var wellFormed = z.refine(
  (value) => value.isWellFormed(),
  "must be well-formed Unicode: it contains half of a surrogate pair"
);
var text = z.string(expected("must be a string")).check(wellFormed);
var identifier = text.check(z.minLength(1, "must not be empty"));
function patterned(pattern, rule) {
  return z.string(expected(rule)).check(z.regex(pattern, { error: rule, abort: true }), wellFormed);
}
var referenceIdShape = new RegExp(`^[0-9a-zA-Z_:-]{1,${maxReferenceLength}}$`);
function isReferenceId(value) {
  return referenceIdShape.test(value);
}
var referenceId = patterned(
  referenceIdShape,
  `must be 1 to ${maxReferenceLength} characters: digits, letters, "_", ":" and "-", such as ORDER:2026-0001`
);
var notReal = "is not a real date and time: check the day, the month and the hour";
function wireTimestamp(form) {
  const rule = `must be a string in the form ${form.form}`;
  return patterned(form.shape, rule).check(z.refine((value) => isTimestamp(value, form), notReal));
}
function inputTimestamp(form, messageOf2 = wrongKind) {
  const rule = `must be a valid Date, or a string in the form ${form.form}`;
  return converted(z.custom(), (value, refuse) => {
    if (isWireInstant(value)) return form.write(value);
    if (typeof value !== "string") return refuse(messageOf2(rule, value));
    if (isTimestamp(value, form)) return value;
    return refuse(form.shape.test(value) ? notReal : rule);
  });
}
var trueOrFalse = z.boolean(expected("must be true or false"));
function aFunction(rule = "must be a function") {
  return z.custom((value) => typeof value === "function", rule);
}
function oneOf(words3) {
  return z.enum(words3, expected(`must be ${words3.map((word3) => `'${word3}'`).join(" or ")}`));
}
function only(word3) {
  return z.literal(word3, expected(`must be '${word3}'`));
}
function numberMessage(rule, input, advice) {
  if (typeof input === "object" && input !== null && !Array.isArray(input))
    return `${rule}; got an object (a BigNumber? pass a number)`;
  const message = wrongKind(rule, input);
  if (typeof input === "string" || typeof input === "bigint") return `${message}: pass a number`;
  const found = finding(input);
  if (found === "got a number") return rule;
  const hint = advice[found];
  return hint === void 0 ? message : `${message}: ${hint}`;
}
function numberError(rule, advice) {
  return { error: ({ input }) => numberMessage(rule, input, advice) };
}
function integerFrom(minimum, advice = {}) {
  const error2 = numberError(`must be an integer from ${minimum} to ${Number.MAX_SAFE_INTEGER}`, advice);
  return z.int({ ...error2, abort: true }).check(z.gte(minimum, error2));
}
var positiveInteger = integerFrom(1);
var wholeNumber = integerFrom(0);
var moneyRule = "must be a number of VND, 0 or greater";
function moneyWith(advice) {
  const error2 = numberError(moneyRule, advice);
  return z.number(error2).check(z.gte(0, error2));
}
var money = moneyWith({});
function hasNumbers(required, optional11) {
  const isMoney = (value) => typeof value === "number" && Number.isFinite(value) && value >= 0;
  return ({ value }) => isRecord(value) && required.every((name) => isMoney(value[name])) && optional11.every((name) => value[name] === void 0 || isMoney(value[name]));
}

// src/protocol/known-names.ts
function objectAt(schema, path) {
  const [first, ...rest] = path;
  const { def } = schema._zod;
  if ("innerType" in def) return objectAt(def.innerType, path);
  if (def.type === "pipe") return objectAt(def.in, path);
  if (def.type === "object" && first === void 0) return schema;
  const inner = def.type === "object" ? def.shape[String(first)] : def.type === "array" && def.element;
  return inner && first !== void 0 ? objectAt(inner, rest) : void 0;
}
function namesAt(schema, path) {
  const object4 = objectAt(schema, path);
  return object4 && Object.keys(object4._zod.def.shape);
}

// src/values/encodings.ts
import { isAnyArrayBuffer } from "node:util/types";
function bytesOf(value) {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return isAnyArrayBuffer(value) ? new Uint8Array(value) : void 0;
}
var byteOrderMark = "\uFEFF";
var strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
function decodeUtf8(bytes) {
  return valueOf(() => strictUtf8.decode(bytes));
}
function withoutMark(text2) {
  return text2.startsWith(byteOrderMark) ? text2.slice(1) : text2;
}
function unicodeEscape(unit) {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

// src/values/nearest-word.ts
function changesBetween(left2, right) {
  let above = Array.from({ length: right.length + 1 }, (_, column) => column);
  let twoAbove = [];
  for (let line = 1; line <= left2.length; line += 1) {
    const row2 = [line];
    for (let column = 1; column <= right.length; column += 1) {
      const [removed = 0, inserted = 0, replaced = 0] = [above[column], row2[column - 1], above[column - 1]];
      const cost = left2[line - 1] === right[column - 1] ? 0 : 1;
      const isSwap = left2[line - 1] === right[column - 2] && left2[line - 2] === right[column - 1];
      const swapped = isSwap ? twoAbove[column - 2] ?? Infinity : Infinity;
      row2.push(Math.min(removed + 1, inserted + 1, replaced + cost, swapped + 1));
    }
    [twoAbove, above] = [above, row2];
  }
  return above[right.length] ?? 0;
}
function didYouMean(written, words3, prefix = "") {
  if (written.length > 60) return "";
  const [nearest] = words3.map((word3) => ({ word: word3, changes: changesBetween(written.toLowerCase(), word3.toLowerCase()) })).filter(({ word: word3, changes }) => changes <= word3.length / 3).sort((a, b) => a.changes - b.changes);
  const isPart = (word3) => written.length >= 4 && word3.toLowerCase().includes(written.toLowerCase());
  const meant = nearest ? [nearest.word] : words3.filter(isPart);
  const isClear = meant.length > 0 && meant.length <= 3;
  return isClear ? `: did you mean ${meant.map((word3) => prefix + word3).join(" or ")}?` : "";
}

// src/protocol/issues.ts
function refusedAt(path, message) {
  return { issues: [{ path, message, resultStatus: "INVALID_REQUEST" }] };
}
var ownStatuses = [
  { path: "referenceId", type: "string", resultStatus: "INVALID_REFERENCE_ID" },
  { path: "amount.value", type: "number", resultStatus: "INVALID_AMOUNT" },
  { path: "customer.phoneNumber", type: "string", resultStatus: "PHONE_NUMBER_INVALID" },
  { path: "storeId", type: "string", resultStatus: "INVALID_STORE_ID" }
];
var fieldNameShape = /^(?!.*\d{5})[\w$-]{0,40}$/;
function shownKey(key2) {
  return fieldNameShape.test(key2) ? key2 : "[redacted]";
}
function pathOf(path) {
  return path.map((key2) => typeof key2 === "number" ? key2 : shownKey(String(key2)));
}
function statusOf(issue, path, input) {
  const named = issue.code === "custom" ? issue.params?.["resultStatus"] : void 0;
  if (typeof named === "string" && isResultStatus(named)) return named;
  const name = path.join(".");
  const own = ownStatuses.find((status) => status.path === name);
  return own?.type === typeof path.reduce(readProperty, input) ? own.resultStatus : "INVALID_REQUEST";
}
function issuesOf(error2, input, schema, { word: word3 = unknownField, hint = "" } = {}) {
  return error2.issues.flatMap((issue) => {
    const path = pathOf(issue.path);
    if (issue.code !== "unrecognized_keys")
      return [{ path, message: issue.message, resultStatus: statusOf(issue, path, input) }];
    const known = namesAt(schema, path) ?? [];
    const isInArray = path.some((key2) => typeof key2 === "number");
    return issue.keys.map((key2) => {
      const meant = didYouMean(shownKey(key2), known);
      const sentence = hint === "" || isInArray ? "" : `${meant === "" ? "." : ""} ${hint}`;
      const message = `${word3}${meant}${sentence}`;
      return { path: [...path, shownKey(key2)], message, resultStatus: "INVALID_REQUEST" };
    });
  });
}
function issuesText(issues, whole, most, others = "more") {
  const texts = issues.slice(0, most).map(({ path, message }) => `${pathText(path) || whole}: ${message}`);
  const left2 = issues.length - texts.length;
  return `${texts.join("; ")}${left2 > 0 ? `; and ${left2} ${others}` : ""}`;
}
function parseWith(schema, input, names) {
  const result = schema.safeParse(input);
  return result.success ? { value: result.data } : { issues: issuesOf(result.error, input, schema, names) };
}
function pathText(path) {
  const shown = path.map((key2) => typeof key2 === "number" ? `[${key2}]` : `.${shownKey(key2)}`).join("");
  const written = shown.replace(/^\./, "");
  return written.length > 120 ? `${written.slice(0, 120)}\u2026` : written;
}
function printable(value) {
  return value.replace(/[\p{Cc}\u2028\u2029]/gu, unicodeEscape);
}

// src/errors/errors.ts
import { isUint8Array } from "node:util/types";

// src/values/brand.ts
function brandClass(type, name) {
  const brand = /* @__PURE__ */ Symbol.for(`installment-payments.${name}`);
  const named = { value: name, configurable: true, writable: true };
  Object.defineProperty(type, "name", named);
  Object.defineProperty(type.prototype, "name", named);
  Object.defineProperty(type.prototype, brand, { value: true });
  Object.defineProperty(type, Symbol.hasInstance, {
    value(value) {
      if (this !== type) return Function.prototype[Symbol.hasInstance].call(this, value);
      return readProperty(value, brand) === true;
    }
  });
}

// src/errors/installment-error.ts
var inspection = /* @__PURE__ */ Symbol.for("nodejs.util.inspect.custom");
var hiddenFacts = /* @__PURE__ */ new WeakMap();
function hiddenIn(error2) {
  return hiddenFacts.get(error2) ?? {};
}
var InstallmentError = class extends Error {
  /** This package makes the errors. Tests make them with `sampleError` of `installment-payments/mock`. */
  constructor({ message, fields: fields3, facts }) {
    super(message, "cause" in facts ? { cause: facts.cause } : void 0);
    Object.assign(this, fields3);
    hiddenFacts.set(this, facts);
  }
  static {
    brandClass(this, "InstallmentError");
    Object.defineProperty(this.prototype, inspection, { value: inspectWithoutAccessors });
  }
  /**
   * The error as plain data, also for `JSON.stringify`: its fields and the name and code of its cause, without secrets,
   * customer data and texts of others.
   */
  toJSON() {
    const { name, message, $metadata } = this;
    const fields3 = Object.fromEntries(Object.entries(this));
    const attempts2 = $metadata?.attempts.map((each) => ({ ...each, startedAt: each.startedAt.toJSON() }));
    const cause = causeJson(this.cause);
    return {
      name,
      message,
      ...fields3,
      ...$metadata && attempts2 && { $metadata: { ...$metadata, attempts: attempts2 } },
      ...cause && { cause }
    };
  }
};
function causeJson(cause) {
  const name = readProperty(cause, "name");
  const code = readProperty(cause, "code");
  if (typeof name !== "string") return void 0;
  return { name, ...typeof code === "string" && { code } };
}
function inspectWithoutAccessors(depth, options, inspect) {
  return inspect(this, { ...options, depth, customInspect: false, getters: false });
}

// src/errors/errors.ts
var ConfigurationError = class extends InstallmentError {
  static {
    brandClass(this, "ConfigurationError");
  }
  /** Name of the option, such as `baseUrl`. */
  option;
  /** Takes the name of the option and what is wrong with it, without its value. */
  constructor(option, problem) {
    const known = { code: "CONFIGURATION", outcome: "not_sent", retryable: false, nextStep: "fix" };
    const action = "Correct the option that this error names.";
    super({ message: `${option} ${problem}`, fields: { ...known, action }, facts: {} });
    this.option = option;
  }
};
var ValidationError = class extends InstallmentError {
  static {
    brandClass(this, "ValidationError");
  }
  /** Every broken rule, never empty. */
  issues = hiddenIn(this).issues ?? [];
};
var HookError = class extends InstallmentError {
  static {
    brandClass(this, "HookError");
  }
};
var ConnectionError = class extends InstallmentError {
  static {
    brandClass(this, "ConnectionError");
  }
};
var TimeoutError = class extends InstallmentError {
  static {
    brandClass(this, "TimeoutError");
  }
};
var AbortedError = class extends InstallmentError {
  static {
    brandClass(this, "AbortedError");
  }
};
var longestBodyText = 2048;
var UnexpectedResponseError = class extends InstallmentError {
  static {
    brandClass(this, "UnexpectedResponseError");
  }
  /** The first 2 KiB of the response as text. It may quote customer data, so no message, inspection or JSON contains it. */
  get bodyText() {
    const { body } = hiddenIn(this);
    return isUint8Array(body) ? new TextDecoder().decode(body.subarray(0, longestBodyText)) : "";
  }
};
var NotificationRejectedError = class extends InstallmentError {
  static {
    brandClass(this, "NotificationRejectedError");
  }
  /** The response: parsed if it is JSON, else its text. No message, inspection or JSON contains it. */
  get body() {
    return hiddenIn(this).body;
  }
};
var ResultError = class extends InstallmentError {
  static {
    brandClass(this, "ResultError");
  }
  /** The service's own text, or ''. It may quote customer data, so no message, inspection or JSON contains it. */
  get resultMsg() {
    return hiddenIn(this).resultMsg ?? "";
  }
};
var UnknownResultError = class extends ResultError {
  static {
    brandClass(this, "UnknownResultError");
  }
  /** The status as the service sent it. No inspection or JSON contains it, and the message only if it is a word. */
  get resultStatus() {
    return hiddenIn(this).resultStatus ?? "";
  }
};

// src/errors/check-options.ts
var unknownOption = { word: "unknown option" };
function checkOptions(rules2, options, variables2 = {}) {
  const parsed = parseWith(rules2, options, unknownOption);
  if ("value" in parsed) return parsed.value;
  const isUnknown = ({ message }) => message.startsWith(unknownOption.word);
  const [first = { option: "options", problem: "must be an object" }, ...others] = parsed.issues.toSorted((a, b) => Number(isUnknown(b)) - Number(isUnknown(a))).map((issue) => {
    const option = pathText(issue.path) || "options";
    const source = Object.hasOwn(variables2, option) ? `from ${variables2[option]} ` : "";
    return { option, problem: source + (isUnknown(issue) ? `is an ${issue.message}` : issue.message) };
  });
  const more = others.map(({ option, problem }) => `; ${printable(option)} ${problem}`);
  throw new ConfigurationError(first.option, first.problem + more.join(""));
}

// src/orders/engine.ts
import { randomUUID as randomUUID2 } from "node:crypto";
import { setTimeout as pause2 } from "node:timers/promises";
import * as z7 from "zod/mini";

// src/protocol/endpoints.ts
var endpoints = {
  initiatePayment: {
    sender: "merchant",
    method: "POST",
    path: "/v2/payments",
    contentType: "application/json",
    policy: "idempotent"
  },
  uploadInvoice: {
    sender: "merchant",
    method: "POST",
    path: "/v2/payments/upload-invoice",
    contentType: "multipart/form-data",
    policy: "once"
  },
  paymentReceipt: {
    sender: "lender",
    method: "POST",
    path: "/lender/open/notify/payment-receipt",
    contentType: "application/json",
    policy: "idempotent"
  },
  repaymentAllocation: {
    sender: "lender",
    method: "POST",
    path: "/lender/open/notify/repayment-allocation",
    contentType: "application/json",
    policy: "once"
  }
};
var operations = Object.keys(endpoints);
var byName = new Map(Object.entries(endpoints));
function isMerchantOperation(operation4) {
  return byName.get(operation4)?.sender === "merchant";
}

// src/errors/status-errors.ts
var status_errors_exports = {};
__export(status_errors_exports, {
  AccessDeniedError: () => AccessDeniedError,
  AmountBelowMinimumLimitError: () => AmountBelowMinimumLimitError,
  AmountExceededUpperLimitError: () => AmountExceededUpperLimitError,
  DownstreamError: () => DownstreamError,
  DuplicateReferenceIdError: () => DuplicateReferenceIdError,
  FileTooLargeError: () => FileTooLargeError,
  GeneralError: () => GeneralError,
  InvalidAmountError: () => InvalidAmountError,
  InvalidApiError: () => InvalidApiError,
  InvalidClientIdError: () => InvalidClientIdError,
  InvalidFileTypeError: () => InvalidFileTypeError,
  InvalidHttpMethodError: () => InvalidHttpMethodError,
  InvalidMerchantIdError: () => InvalidMerchantIdError,
  InvalidReferenceIdError: () => InvalidReferenceIdError,
  InvalidRequestError: () => InvalidRequestError,
  InvalidSignatureError: () => InvalidSignatureError,
  InvalidStoreIdError: () => InvalidStoreIdError,
  LimitExceededError: () => LimitExceededError,
  PhoneNumberInvalidError: () => PhoneNumberInvalidError,
  PhoneNumberUnavailableError: () => PhoneNumberUnavailableError,
  RequestProcessingError: () => RequestProcessingError
});
function classOf(status) {
  return class extends ResultError {
    static status = status;
    resultStatus = status;
  };
}
var AccessDeniedError = class extends classOf("ACCESS_DENIED") {
};
var InvalidRequestError = class extends classOf("INVALID_REQUEST") {
};
var InvalidReferenceIdError = class extends classOf("INVALID_REFERENCE_ID") {
};
var InvalidStoreIdError = class extends classOf("INVALID_STORE_ID") {
};
var DuplicateReferenceIdError = class extends classOf("DUPLICATE_REFERENCE_ID") {
  /** True if an earlier attempt of this call, or one before it (`mayHaveBeenSent: true`), may have created the payment. */
  probablyAccepted = hiddenIn(this).mayHaveActedBefore === true;
};
var InvalidClientIdError = class extends classOf("INVALID_CLIENT_ID") {
};
var InvalidSignatureError = class extends classOf("INVALID_SIGNATURE") {
};
var InvalidMerchantIdError = class extends classOf("INVALID_MERCHANT_ID") {
};
var InvalidHttpMethodError = class extends classOf("INVALID_HTTP_METHOD") {
};
var InvalidApiError = class extends classOf("INVALID_API") {
};
var InvalidAmountError = class extends classOf("INVALID_AMOUNT") {
};
var PhoneNumberUnavailableError = class extends classOf("PHONE_NUMBER_UNAVAILABLE") {
};
var PhoneNumberInvalidError = class extends classOf("PHONE_NUMBER_INVALID") {
};
var AmountExceededUpperLimitError = class extends classOf("AMOUNT_EXCEEDED_UPPER_LIMIT") {
};
var AmountBelowMinimumLimitError = class extends classOf("AMOUNT_BELOW_MINIMUM_LIMIT") {
};
var RequestProcessingError = class extends classOf("REQUEST_PROCESSING") {
};
var DownstreamError = class extends classOf("DOWNSTREAM_ERROR") {
};
var GeneralError = class extends classOf("ERROR_GENERAL") {
};
var InvalidFileTypeError = class extends classOf("INVALID_FILE_TYPE") {
};
var FileTooLargeError = class extends classOf("FILE_TOO_LARGE") {
};
var LimitExceededError = class extends classOf("LIMIT_EXCEEDED") {
};

// src/errors/error-table.ts
var ownErrors = {
  VALIDATION: {
    type: ValidationError,
    isOfThisCall: true,
    fix: "Correct the input: issues has every broken rule."
  },
  HOOK: {
    type: HookError,
    isOfThisCall: true,
    fix: "Correct the function, then call again."
  },
  CONNECTION: {
    type: ConnectionError,
    fix: "It fails again until the cause is removed: a certificate, TLS or a proxy."
  },
  TIMEOUT: {
    type: TimeoutError,
    fix: "Decide again whether to send it, and pass a new sendBefore."
  },
  ABORTED: { type: AbortedError },
  UNEXPECTED_RESPONSE: { type: UnexpectedResponseError, bestOutcome: "rejected" },
  NOTIFICATION_REJECTED: { type: NotificationRejectedError, bestOutcome: "rejected" },
  UNKNOWN_RESULT: { type: UnknownResultError, bestOutcome: "unknown" }
};
var statusRows = Object.fromEntries(
  Object.entries(status_errors_exports).map(([name, type]) => {
    brandClass(type, name);
    return [type.status, { type, bestOutcome: errorStatusInfo("initiatePayment", type.status).outcome }];
  })
);
var errorTable = {
  ...ownErrors,
  ...statusRows
};
function isInstallmentError(error2) {
  return error2 instanceof InstallmentError;
}

// src/errors/advice.ts
var noOtherPayment = "Do not create another payment for this order before the outcome is known.";
var repeat = "Send the same request again, with mayHaveBeenSent: true. If the outcome is still unknown after a few retries, ask the service: what it does with a repeated key is not documented.";
var advices = {
  initiatePayment: {
    repeat: `${repeat} ${noOtherPayment}`,
    lookUp: `Look the payment up, or ask the service. ${noOtherPayment}`
  },
  uploadInvoice: {
    lookUp: `Look the invoice up before you upload it again: a referenceId takes at most ${maxInvoices} invoices.`
  },
  paymentReceipt: {
    repeat,
    lookUp: "Ask the service whether it has this receipt before you send it again."
  },
  repaymentAllocation: {
    lookUp: "Ask the service before you send the allocation again: no idempotency key is documented for it."
  },
  post: { repeat, lookUp: "Check whether it did before you send the request again." }
};
function documentedAction({ code, ...known }, operation4, mayHaveActedBefore) {
  if (code === "UNKNOWN_RESULT") {
    return "Ask the service what this status means before you continue or cancel the order.";
  }
  if (!isErrorStatus(code)) return void 0;
  const table = isMerchantOperation(operation4) ? operation4 : "initiatePayment";
  const { action, outcome, retried } = errorStatusInfo(table, code);
  const isOutcomeOfCall = known.outcome === outcome && known.retryable === retried;
  const isAboutEarlierAttempt = mayHaveActedBefore && !retried;
  const isForOperation = outcome === "rejected" || Object.hasOwn(resultStatuses[table], code);
  return isOutcomeOfCall && !isAboutEarlierAttempt && isForOperation ? action : void 0;
}
function actionFor(known, operation4, mayHaveActedBefore) {
  const documented = documentedAction(known, operation4, mayHaveActedBefore);
  if (documented !== void 0) return documented;
  const { code, outcome, retryAfterMs, nextStep } = known;
  const advice = advices[operation4];
  const isAfterEarlier = mayHaveActedBefore ? " on an earlier attempt" : "";
  const fact = outcome === "unknown" ? `The service may have acted${isAfterEarlier}.` : "Nothing was sent by this call, and the service may have acted on an earlier one.";
  switch (nextStep) {
    case "repeat":
      return `${fact} ${advice.repeat ?? advice.lookUp}`;
    case "look_up":
      return `${fact} ${advice.lookUp}`;
    case "refused":
      return "The request was refused.";
    case "fix":
      return `Nothing was sent by this call. ${errorTable[code].fix ?? "Correct the cause, then call again."}`;
    case "call_again": {
      const when2 = retryAfterMs === void 0 ? "later" : `in ${Math.ceil(retryAfterMs / 1e3)} s or later`;
      if (outcome === "rejected") return `The request was refused for now: call again ${when2}.`;
      const earlier = "an earlier call of this request ended unknown";
      const condition = advice.repeat ? `; pass mayHaveBeenSent: true if ${earlier}` : `, unless ${earlier}`;
      return `Nothing was sent by this call, so it is safe to call again${condition}.`;
    }
  }
}
function subjectText({ operation: operation4, request, ...subject }) {
  const reference = subject.referenceId ?? subject.lenderTransactionCode ?? subject.requestId;
  const target = request && `(${request.method} ${request.host}${request.path})`;
  return printable([operation4, reference, target].filter(Boolean).join(" "));
}
function messageOf({ problem, facts }, action, { code, nextStep }, metadata) {
  if (code === "VALIDATION") {
    return `${metadata.operation}: ${problem}${nextStep === "fix" ? "" : `. ${action}`}`;
  }
  const attempts2 = metadata.attempts.length > 1 ? ` after ${metadata.attempts.length} attempts` : "";
  const problemAfter = problem.replace(/\. |$/, (end2) => `${attempts2}${end2 || "."}`);
  const seeText = facts.resultMsg ? " error.resultMsg has the service's own text." : "";
  return `${subjectText(metadata)}: ${problemAfter} ${action}${seeText}`;
}

// src/errors/error-of.ts
function nextStepOf(outcome, retryable, { mayHaveBeenSent, policy }) {
  if (outcome === "unknown") return retryable ? "repeat" : "look_up";
  if (mayHaveBeenSent) return retryable && policy !== "once" ? "repeat" : "look_up";
  if (retryable) return "call_again";
  return outcome === "not_sent" ? "fix" : "refused";
}
function errorOf(failure, call) {
  const { type: ErrorClass, bestOutcome = "not_sent", isOfThisCall } = errorTable[failure.code];
  const { retryAfterMs } = failure.facts;
  const { metadata } = call;
  const { attempts: attempts2, request: _request, ...subject } = metadata;
  const isUntried = isOfThisCall === true && attempts2.length === 0;
  const outcome = worseOf(isUntried ? failure.outcome : call.outcome, bestOutcome);
  const couldActTwice = call.policy === "once" && outcome === "unknown";
  const retryable = failure.transient && !couldActTwice;
  const known = {
    code: failure.code,
    outcome,
    retryable,
    nextStep: nextStepOf(outcome, retryable, call),
    ...retryAfterMs !== void 0 && { retryAfterMs }
  };
  const action = actionFor(known, metadata.operation, call.mayHaveActedBefore);
  return new ErrorClass({
    message: messageOf(failure, action, known, metadata),
    fields: { ...known, action, ...subject, $metadata: metadata },
    facts: { ...failure.facts, mayHaveActedBefore: call.mayHaveActedBefore }
  });
}
function untried(subject, mayHaveBeenSent = false) {
  return {
    metadata: { ...subject, attempts: [] },
    policy: "once",
    mayHaveBeenSent,
    mayHaveActedBefore: mayHaveBeenSent,
    outcome: mayHaveBeenSent ? "unknown" : "not_sent"
  };
}
function invalidInput(issues, subject, {
  mayHaveBeenSent = false,
  ...facts
} = {}) {
  const failure = {
    code: "VALIDATION",
    outcome: "not_sent",
    transient: false,
    problem: `nothing was sent by this call. ${issuesText(issues, "the request", 10, "more, see issues")}`,
    facts: { ...facts, issues }
  };
  return errorOf(failure, untried(subject, mayHaveBeenSent));
}

// src/orders/options.ts
import * as z2 from "zod/mini";

// src/orders/sql-storage.ts
var words = {
  postgres: {
    clock: "CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS bigint)",
    // Sorted by bytes, so that an index that was made under another locale of the system finds its rows.
    types: { id: 'text COLLATE "C"', key: 'text COLLATE "C"', text: "text", time: "bigint" },
    orIgnore: "ON CONFLICT DO NOTHING",
    lock: " FOR UPDATE"
  },
  mysql: {
    // Without a time zone: a local time comes twice when the clocks go back.
    clock: "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000",
    types: {
      // Bytes: a text of MySQL is compared without case, and without spaces at its end.
      id: "varbinary(720)",
      key: "varchar(64) CHARACTER SET ascii COLLATE ascii_bin",
      text: "mediumtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin",
      time: "bigint"
    },
    orIgnore: "ON DUPLICATE KEY UPDATE version = version",
    lock: " FOR UPDATE"
  },
  sqlite: {
    clock: "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)",
    types: { id: "text", key: "text", text: "text", time: "integer" },
    orIgnore: "ON CONFLICT DO NOTHING",
    // A transaction that writes has the whole database.
    lock: ""
  }
};
function schemaOf(dialect, table) {
  const { id, key: key2, text: text2, time } = words[dialect].types;
  const [name = "", schema] = table.split(".").toReversed();
  const indexed = ["due_at", "review_at", "changed_at"];
  const columns = [
    `order_key ${key2} NOT NULL PRIMARY KEY`,
    `order_id ${id} NOT NULL UNIQUE`,
    "version integer NOT NULL",
    `token ${key2} NOT NULL`,
    `due_at ${time}`,
    `review_at ${time}`,
    `changed_at ${time} NOT NULL`,
    `data ${text2} NOT NULL`,
    // MySQL has no CREATE INDEX IF NOT EXISTS.
    ...dialect === "mysql" ? indexed.map((column) => `KEY ${name}_${column} (${column})`) : []
  ];
  const create = `CREATE TABLE IF NOT EXISTS ${table} (
${columns.map((line) => `  ${line}`).join(",\n")}
)`;
  if (dialect === "mysql") return [create];
  const [before, on] = dialect === "sqlite" && schema ? [`${schema}.`, name] : ["", table];
  return [
    create,
    ...indexed.map((column) => `CREATE INDEX IF NOT EXISTS ${before}${name}_${column} ON ${on} (${column})`)
  ];
}
function unusable(problem) {
  return new ConfigurationError("query", `must resolve to ${problem}: see the adapters in the guide`);
}
function numberOf(value) {
  const number4 = Number(value);
  if (value === null || value === void 0 || !Number.isSafeInteger(number4))
    throw unusable("rows with the columns of the SELECT, in lower case");
  return number4;
}
function textOf(value) {
  if (typeof value !== "string") throw unusable("text as strings");
  return value;
}
function storedIn({ version: version2, token, due_at: due, data }) {
  if (version2 === null || version2 === void 0) return void 0;
  return {
    version: numberOf(version2),
    token: textOf(token),
    dueAt: due === null ? null : Number(due),
    data: textOf(data)
  };
}
function sqlStorage(dialect, table, query, isTransaction) {
  const { clock, orIgnore, lock } = words[dialect];
  const mark = (position) => dialect === "postgres" ? `$${position}` : "?";
  const [m1, m2, m3, m4, m5, m6, m7, m8] = [1, 2, 3, 4, 5, 6, 7, 8].map(mark);
  const statements2 = {
    // The clock comes with a row that is not there, too.
    read: `SELECT clock.now_ms, o.version, o.token, o.due_at, o.data FROM (SELECT ${clock} AS now_ms) clock LEFT JOIN ${table} o ON o.order_key = ${m1}`,
    lock: `SELECT ${clock} AS now_ms, version, token, due_at, data FROM ${table} WHERE order_key = ${m1}${lock}`,
    insert: `INSERT INTO ${table} (order_key, order_id, version, token, due_at, review_at, changed_at, data) VALUES (${m1}, ${m2}, ${m3}, ${m4}, ${m5}, ${m6}, ${m7}, ${m8}) ${orIgnore}`,
    replace: `UPDATE ${table} SET version = ${m1}, token = ${m2}, due_at = ${m3}, review_at = ${m4}, changed_at = ${m5}, data = ${m6} WHERE order_key = ${m7} AND version = ${m8}`,
    due: `SELECT order_key FROM ${table} WHERE due_at <= ${m1} ORDER BY due_at LIMIT ${m2}`,
    page: (column) => `SELECT ${column} AS at_ms, order_key, data FROM ${table} WHERE ${column} > ${m1} OR ${column} = ${m2} AND order_key > ${m3} ORDER BY ${column}, order_key LIMIT ${m4}`
  };
  const select = async (sql, values) => {
    const result = await query(sql, values);
    if (!Array.isArray(result) || !result.every(isRecord)) throw unusable("an array of rows for a SELECT");
    return result;
  };
  const page = async (column, after, limit) => {
    const rows2 = await select(statements2.page(column), [after.at, after.at, after.key, limit]);
    return rows2.map((row2) => ({
      at: numberOf(row2["at_ms"]),
      key: textOf(row2["order_key"]),
      data: textOf(row2["data"])
    }));
  };
  return {
    async read(orderKey) {
      const [row2 = {}] = await select(statements2.read, [orderKey]);
      const isLocked = isTransaction && lock !== "" && storedIn(row2) !== void 0;
      const [found = row2] = isLocked ? await select(statements2.lock, [orderKey]) : [];
      return { now: numberOf(found["now_ms"]), row: storedIn(found) };
    },
    async insert({ key: key2, orderId, token, dueAt: dueAt2, reviewAt, changedAt, data }) {
      await query(statements2.insert, [key2, orderId, 1, token, dueAt2, reviewAt, changedAt, data]);
    },
    async replace({ key: key2, token, dueAt: dueAt2, reviewAt, changedAt, data }, from) {
      await query(statements2.replace, [from + 1, token, dueAt2, reviewAt, changedAt, data, key2, from]);
    },
    async due(now2, limit) {
      const rows2 = await select(statements2.due, [now2, limit]);
      return rows2.map((row2) => textOf(row2["order_key"]));
    },
    inReview: (after, limit) => page("review_at", after, limit),
    changed: (after, limit) => page("changed_at", after, limit)
  };
}

// src/orders/options.ts
function isClient(value) {
  return hasMethods(value, ["initiatePayment", "uploadInvoice"]);
}
function checkedClient(client) {
  if (!isClient(client)) throw new ConfigurationError("client", "must return an InstallmentClient");
  return client;
}
var listOfWords = z2.optional(z2.array(z2.string("must be a string"), "must be an array of strings"));
var storageMethods = ["read", "insert", "replace", "due", "inReview", "changed"];
var rules = z2.strictObject(
  {
    client: z2.custom(
      (value) => typeof value === "function" || isClient(value),
      "must be an InstallmentClient, or a function of the account that returns one"
    ),
    dialect: z2.optional(z2.enum(["postgres", "mysql", "sqlite"], "must be 'postgres', 'mysql' or 'sqlite'")),
    query: z2.optional(aFunction("must be a function of a statement and its values")),
    storage: z2.optional(
      z2.custom(
        (value) => hasMethods(value, storageMethods),
        `must be an object with the functions ${storageMethods.join(", ")}`
      )
    ),
    onPaid: z2.optional(aFunction()),
    table: z2._default(
      z2.string("must be a string").check(
        z2.regex(
          /^[A-Za-z_]\w{0,40}(\.[A-Za-z_]\w{0,40})?$/,
          "must be letters, digits and underscores: orders"
        )
      ),
      "installment_orders"
    ),
    words: z2._default(
      z2.strictObject(
        { paid: listOfWords, declined: listOfWords, expired: listOfWords },
        'must be an object such as { paid: ["SUCCESS"] }'
      ),
      {}
    ),
    loadFile: z2.optional(aFunction()),
    repeatUnknown: z2.optional(trueOrFalse),
    reviewOverdue: z2._default(trueOrFalse, true),
    eraseAfterDays: z2.optional(wholeNumber),
    now: z2.optional(aFunction()),
    logger: z2.optional(
      z2.custom(
        (value) => hasMethods(value, ["debug", "info", "warn", "error"]),
        "must have the methods debug, info, warn and error, like console"
      )
    ),
    claimMs: z2._default(positiveInteger, 6e4),
    repeatAfterMs: z2._default(positiveInteger, 6e4),
    mostSends: z2._default(positiveInteger, 10),
    waitMs: z2._default(wholeNumber, 5e3)
  },
  "must be an object"
).check(
  z2.refine(({ dialect, query, storage }) => storage ? !dialect && !query : dialect && query, {
    path: ["query"],
    message: "and dialect are required, or storage in place of both",
    when: () => true
  })
);
function checkOrderOptions(options) {
  const checked2 = checkOptions(rules, options);
  const { dialect, query, storage, table, now: now2 } = checked2;
  const storageOver = (transaction, isLocking = transaction !== void 0) => {
    if (dialect && query) return withClock(sqlStorage(dialect, table, transaction ?? query, isLocking), now2);
    if (transaction || !storage)
      throw new ConfigurationError("query", "must be left out: a storage of your own has no transactions");
    return withClock(storage, now2);
  };
  return { ...checked2, schema: dialect ? schemaOf(dialect, table) : [], storageOver };
}
function withClock(storage, now2) {
  if (!now2) return storage;
  return {
    read: async (key2) => ({ ...await storage.read(key2), now: now2().getTime() }),
    insert: (row2) => storage.insert(row2),
    replace: (row2, version2) => storage.replace(row2, version2),
    due: (at, limit) => storage.due(at, limit),
    inReview: (after, limit) => storage.inReview(after, limit),
    changed: (after, limit) => storage.changed(after, limit)
  };
}

// src/orders/order-error.ts
var OrderError = class extends Error {
  /** Stable; the same in every version. */
  code;
  static {
    brandClass(this, "OrderError");
  }
  /** Errors are made by this package; a test may make one of its own. */
  constructor(code, message, options) {
    super(message, options);
    this.code = code;
  }
};

// src/http/observer.ts
var levels = { debug: 0, info: 1, warn: 2, error: 3, silent: 4 };
var longestPaths = 500;
var requestIdHeader = /^(?:x-)?(?:\w{1,20}-)?(?:request|correlation|trace)-?id$/i;
function pathsOf({ issues }) {
  const paths = issues.map(({ path }) => pathText(path) || "the request").join(", ");
  return paths.slice(0, longestPaths);
}
var Observer = class {
  #logger;
  #level;
  hooks;
  constructor({ logger, logLevel = "info", hooks = {} }) {
    this.#logger = logger;
    this.#level = logLevel;
    this.hooks = hooks;
  }
  attempted(attempt, { subject, target, mayHaveBeenSent }, number4, response) {
    const level = attempt.outcome === "accepted" ? "info" : "warn";
    if (this.#logs(level)) {
      const { startedAt: _, durationMs, ...answer } = attempt;
      this.#write(level, `${subject.operation} attempt ${number4}: ${attempt.outcome}`, {
        ...subject,
        ...target,
        attempt: number4,
        mayHaveBeenSent: mayHaveBeenSent || void 0,
        ...answer,
        // Its value is in `responseHeaders`.
        requestIdHeader: response?.headers.find((name, at) => at % 2 === 0 && requestIdHeader.test(name)),
        durationMs: Math.round(durationMs)
      });
    }
    const { onAttempt } = this.hooks;
    if (onAttempt) void ignoreErrors(() => onAttempt(attempt, subject));
  }
  waiting(subject, ms, attempt, { facts, problem }) {
    if (!this.#logs("info")) return;
    const waitMs = Math.round(ms);
    const record = { ...subject, attempt, waitMs, error: facts.summary ?? problem };
    this.#write("info", `${subject.operation} waits ${waitMs} ms before attempt ${attempt + 1}`, record);
  }
  starting({ subject, target, mayHaveBeenSent }, bodyBytes) {
    if (!this.#logs("debug")) return;
    const record = { ...subject, ...target, mayHaveBeenSent: mayHaveBeenSent || void 0, bodyBytes };
    this.#write("debug", `${subject.operation} is about to be sent`, record);
  }
  failed(error2, mayHaveBeenSent) {
    const { code, outcome, retryable, nextStep, retryAfterMs, $metadata } = error2;
    if (!$metadata || !this.#logs("error")) return;
    const { attempts: attempts2, request, ...subject } = $metadata;
    this.#write("error", `${subject.operation} failed: ${code}, outcome ${outcome}`, {
      ...subject,
      ...request,
      code,
      // Any other error of a status has it as its code.
      resultStatus: code === "UNKNOWN_RESULT" ? attempts2.at(-1)?.resultStatus : void 0,
      outcome,
      retryable,
      nextStep,
      mayHaveBeenSent: mayHaveBeenSent || void 0,
      retryAfterMs,
      probablyAccepted: error2 instanceof DuplicateReferenceIdError ? error2.probablyAccepted : void 0,
      attempts: attempts2.length,
      issues: error2 instanceof ValidationError ? pathsOf(error2) : void 0
    });
  }
  /** Anything else, such as something that is permitted, and may be a mistake. */
  log(level, message, record) {
    if (this.#logs(level)) this.#write(level, message, record);
  }
  #logs(level) {
    return this.#logger !== void 0 && levels[level] >= levels[this.#level];
  }
  #write(level, message, record) {
    void ignoreErrors(() => this.#logger?.[level](message, present({ ...record })));
  }
};

// src/orders/report.ts
function word(value) {
  return typeof value === "string" && /^\w{1,60}$/.test(value) ? value : void 0;
}
function reportTo(logger) {
  const observer = new Observer({ logger });
  return (level, message, ids, error2) => {
    const [name, code] = ["name", "code"].map((property) => word(readProperty(error2, property)));
    observer.log(level, `installment-payments: ${message}`, { ...ids, error: name, code });
  };
}

// src/orders/views.ts
function isLive({ state }) {
  return ["new", "sending", "unknown", "look_up", "open"].includes(state);
}
function isEnded({ paidBy, cancelledAt }) {
  return paidBy !== void 0 || cancelledAt !== void 0;
}
function isToRefund({ state, referenceId: referenceId2, refundedAt }, { paidBy }) {
  return state === "paid" && paidBy !== referenceId2 && refundedAt === void 0;
}
var actions = {
  refund: "Refund this payment at the service, then call markRefunded.",
  mismatch: "A notification names another amount, currency or merchant. Compare it with the service, then conclude.",
  exists_after_all: "The service has this payment after all. Look it up, end it there or leave it, then conclude.",
  look_up: "Call lookUp. From its safeFrom on, look the reference up at the service, then conclude.",
  overdue: "No word came in its time. Look the reference up at the service, then conclude: over, paid or absent.",
  no_word: "No word came for a day. Look the reference up at the service, then conclude.",
  not_sent: "Nothing was sent. Correct what error names; start sends it again, or call lookUp and conclude absent.",
  invoice_look_up: "The upload may be stored. Look it up at the service, then call concludeInvoice.",
  invoice_refused: "The upload was refused. Add a corrected one, then conclude this one as absent."
};
function reviewsOfPayment(payment2, order) {
  const { state, stateAt } = payment2;
  return [
    ["refund", isToRefund(payment2, order) ? stateAt : void 0],
    ["mismatch", payment2.mismatchAt],
    ["exists_after_all", payment2.existsAfterAllAt],
    ["look_up", state === "look_up" ? stateAt : void 0],
    ["overdue", state === "overdue" ? stateAt : void 0],
    ["no_word", state === "open" ? payment2.noWordAt : void 0],
    ["not_sent", state === "new" && !isEnded(order) ? payment2.givenUpAt : void 0]
  ];
}
function reviewsOf(order) {
  const ofPayments = order.payments.flatMap(
    (payment2) => reviewsOfPayment(payment2, order).flatMap(([reason, sinceAt]) => {
      const { referenceId: referenceId2, error: error2 } = payment2;
      return sinceAt === void 0 ? [] : [{ reason, action: actions[reason], referenceId: referenceId2, sinceAt, ...error2 && { error: error2 } }];
    })
  );
  const ofInvoices = order.invoices.flatMap(({ state, number: number4, stateAt, error: error2 }) => {
    if (state !== "look_up" && state !== "refused") return [];
    const reason = `invoice_${state}`;
    const about = order.paidBy === void 0 ? {} : { referenceId: order.paidBy };
    return [{ reason, action: actions[reason], ...about, number: number4, sinceAt: stateAt, ...error2 && { error: error2 } }];
  });
  return [...ofPayments, ...ofInvoices];
}
function viewStateOf(order) {
  if (order?.cancelledAt !== void 0) return "cancelled";
  if (order?.paidBy !== void 0) return "paid";
  const last = order?.payments.at(-1);
  if (!last) return "none";
  if (last.existsAfterAllAt !== void 0) return "checking";
  switch (last.state) {
    case "new":
    case "refused":
      return last.state;
    case "sending":
    case "unknown":
    case "look_up":
      return "checking";
    case "open":
      return last.paymentUrl === void 0 ? "checking" : "started";
    default:
      return "over";
  }
}

// src/orders/rules.ts
var minuteMs2 = 6e4;
var graceMs = minuteMs2;
var lateMs = 10 * minuteMs2;
var dayMs = 24 * 60 * minuteMs2;
var longestTellMs = 60 * minuteMs2;
var mostInvoices = 3;
var unpaidStates = ["new", "sending", "unknown", "look_up", "open", "overdue"];
function mayBeLive(payment2) {
  return isLive(payment2) || payment2.existsAfterAllAt !== void 0;
}
function paymentOf(order, referenceId2) {
  return order?.payments.find((payment2) => payment2.referenceId === referenceId2);
}
function withPayment(order, changed) {
  const payments2 = order.payments.map((each) => each.referenceId === changed.referenceId ? changed : each);
  return { ...order, payments: payments2 };
}
function withInvoice(order, changed) {
  return {
    ...order,
    invoices: order.invoices.map((each) => each.number === changed.number ? changed : each)
  };
}
function backoffMs(sends, { repeatAfterMs }) {
  return repeatAfterMs * 2 ** Math.max(0, sends - 1);
}
function askedMs(retryAfterMs = 0) {
  return Math.min(retryAfterMs, dayMs);
}
function overdueAt({ lifetimeMs, openedAt = 0, claim, stateAt }) {
  if (lifetimeMs === void 0) return void 0;
  return Math.max(openedAt, claim?.endsAt ?? stateAt) + lifetimeMs + lateMs;
}
function mayRepeat(payment2, order, now2, policy) {
  const { sends, lifetimeMs = Infinity, firstSendAt = now2 } = payment2;
  return policy.repeatUnknown && !isEnded(order) && sends < policy.mostSends && now2 < firstSendAt + lifetimeMs;
}
function paymentAfterTime(payment2, order, now2, policy) {
  const { state, claim, lifetimeMs, openedAt, noWordAt } = payment2;
  const become = (next, more = {}) => paymentAfterTime({ ...payment2, state: next, stateAt: now2, ...more }, order, now2, policy);
  if (state === "sending" && claim && now2 >= claim.endsAt + graceMs)
    return become("unknown", {
      mayExist: true,
      nextAt: claim.endsAt - policy.claimMs + backoffMs(payment2.sends, policy)
    });
  if (state === "unknown" && !mayRepeat(payment2, order, now2, policy)) return become("look_up");
  if (state === "new" && payment2.mayExist && isEnded(order)) return become("look_up");
  if (state !== "open" && state !== "look_up") return payment2;
  if (now2 >= (overdueAt(payment2) ?? Infinity)) return become(policy.reviewOverdue ? "overdue" : "expired");
  const isSilent = state === "open" && lifetimeMs === void 0 && noWordAt === void 0;
  return isSilent && now2 >= (openedAt ?? now2) + dayMs ? { ...payment2, noWordAt: now2 } : payment2;
}
function invoiceAfterTime(invoice, now2) {
  const { state, claim } = invoice;
  const isOver = state === "sending" && claim && now2 >= claim.endsAt + graceMs;
  return isOver ? { ...invoice, state: "look_up", stateAt: now2 } : invoice;
}
function mapped(list, change) {
  const changed = list.map(change);
  return changed.some((each, index) => each !== list[index]) ? changed : list;
}
function afterTime(order, now2, policy) {
  const payments2 = mapped(order.payments, (payment2) => paymentAfterTime(payment2, order, now2, policy));
  const invoices = mapped(order.invoices, (invoice) => invoiceAfterTime(invoice, now2));
  return payments2 === order.payments && invoices === order.invoices ? order : { ...order, payments: payments2, invoices };
}
function claimOf(token, now2, policy) {
  return { token, endsAt: now2 + policy.claimMs, safeAt: now2 + policy.safeAfterMs };
}
function claimedPayment(payment2, token, now2, policy) {
  const { givenUpAt, ...kept2 } = payment2;
  const { state, stateAt, sends, firstSendAt = now2 } = payment2;
  const before = { state, stateAt, ...givenUpAt !== void 0 && { givenUpAt } };
  const claim = { ...claimOf(token, now2, policy), before };
  return { ...kept2, state: "sending", stateAt: now2, sends: sends + 1, firstSendAt, claim };
}
function sendDue(order) {
  if (isEnded(order)) return [];
  return order.payments.flatMap((payment2) => {
    const { state, nextAt, givenUpAt } = payment2;
    const waits = state === "new" && givenUpAt === void 0 || state === "unknown";
    return waits ? [{ type: "send", at: nextAt ?? 0, payment: payment2 }] : [];
  });
}
function uploadDue({ invoices, paidBy }) {
  const isBusy = invoices.some(({ state }) => state === "sending" || state === "look_up");
  const invoice = invoices.find(({ state }) => state === "new");
  return paidBy === void 0 || isBusy || !invoice ? [] : [{ type: "upload", at: invoice.nextAt, invoice }];
}
function tellDue({ telling }) {
  if (!telling) return [];
  const { claim, nextAt } = telling;
  return [{ type: "tell", at: claim ? claim.endsAt + graceMs : nextAt }];
}
function endOf({ paidAt, cancelledAt, payments: payments2 }) {
  const last = payments2.at(-1);
  return paidAt ?? cancelledAt ?? (last && !isLive(last) ? last.stateAt : void 0);
}
function eraseDue(order, { eraseAfterMs }) {
  const end2 = endOf(order);
  const isBusy = order.telling !== void 0 || reviewsOf(order).length > 0 || order.paidBy !== void 0 && order.invoices.some(({ state }) => state === "new" || state === "sending");
  const isErased = order.payments.every(({ request }) => request === void 0);
  if (eraseAfterMs === void 0 || end2 === void 0 || isBusy || isErased) return [];
  return [{ type: "erase", at: end2 + eraseAfterMs }];
}
function allDue(order, policy) {
  return [...sendDue(order), ...tellDue(order), ...uploadDue(order), ...eraseDue(order, policy)];
}
function erased(order, now2) {
  return {
    ...order,
    erasedAt: now2,
    payments: order.payments.map(({ request: _request, ...kept2 }) => kept2),
    // One that waits is kept: money may still be reported.
    invoices: order.invoices.map(
      ({ upload, ...kept2 }) => kept2.state === "new" && upload !== void 0 ? { ...kept2, upload } : kept2
    )
  };
}
function effectOf(order, token) {
  for (const payment2 of order.payments) {
    const { claim: claim2 } = payment2;
    if (payment2.state === "sending" && claim2?.token === token) return { type: "send", payment: payment2, claim: claim2 };
  }
  for (const invoice of order.invoices) {
    const { claim: claim2 } = invoice;
    if (invoice.state === "sending" && claim2?.token === token) return { type: "upload", invoice, claim: claim2 };
  }
  const claim = order.telling?.claim;
  return claim?.token === token ? { type: "tell", claim } : void 0;
}
function claimed(order, due, token, now2, policy) {
  if (due.type === "erase") return { order: erased(order, now2) };
  const claim = claimOf(token, now2, policy);
  let next;
  if (due.type === "send") next = withPayment(order, claimedPayment(due.payment, token, now2, policy));
  else if (due.type === "upload") {
    const { invoice } = due;
    next = withInvoice(order, {
      ...invoice,
      state: "sending",
      stateAt: now2,
      sends: invoice.sends + 1,
      claim
    });
  } else next = { ...order, telling: { tries: (order.telling?.tries ?? 0) + 1, nextAt: now2, claim } };
  return { order: next, effect: effectOf(next, token) };
}
function withNext(order, next, nextAt, now2) {
  const added = { ...next, state: "new", stateAt: now2, addedAt: now2, sends: 0, nextAt };
  return { ...order, payments: [...order.payments, added] };
}
function begun(order, { next, account }, nextAt, now2) {
  if (!next || isEnded(order) || order.payments.some(mayBeLive)) return order;
  const of = order.payments.length === 0 && account !== void 0 ? { ...order, account } : order;
  return withNext(of, next, nextAt, now2);
}
function isOtherAccount(order, account) {
  return account !== void 0 && order.payments.length > 0 && order.account !== account;
}
function start(order, command, now2, policy) {
  if (isOtherAccount(order, command.account)) return { order, problem: "other_account" };
  const next = begun(order, command, now2, now2);
  const last = next.payments.at(-1);
  if (!last || isEnded(next)) return { order: next };
  const from = last.state === "new" ? last.waitAt ?? 0 : last.state === "unknown" ? last.nextAt : Infinity;
  if (now2 < (from ?? 0)) return { order: next };
  return claimed(next, { type: "send", at: now2, payment: last }, command.token, now2, policy);
}
function add(order, command, now2) {
  if (isOtherAccount(order, command.account)) return { order, problem: "other_account" };
  return { order: begun(order, command, now2 + minuteMs2, now2) };
}
function move(order, { token }, now2, policy) {
  const due = allDue(order, policy).find(({ at }) => at <= now2);
  return due ? claimed(order, due, token, now2, policy) : { order };
}
function accepted2(payment2, { paymentUrl, qrData }, now2) {
  const { error: _error, ...known } = payment2;
  const isMissing = payment2.paymentUrl === void 0;
  const link = {
    ...isMissing ? known : payment2,
    ...isMissing && paymentUrl !== void 0 && { paymentUrl },
    ...isMissing && qrData !== void 0 && { qrData }
  };
  if (payment2.state === "refused" || payment2.state === "absent")
    return { ...link, existsAfterAllAt: payment2.existsAfterAllAt ?? now2 };
  if (payment2.state === "open" || !isLive(payment2)) return isMissing ? link : payment2;
  return { ...link, state: "open", stateAt: now2, openedAt: now2, mayExist: true };
}
var inDoubt = {
  fix: "look_up",
  call_again: "repeat",
  refused: "look_up",
  repeat: "repeat",
  look_up: "look_up"
};
function failed(payment2, { step: told2, error: error2, retryAfterMs }, now2, policy) {
  const step2 = payment2.mayExist ? inDoubt[told2] : told2;
  const become = (state, more = {}) => ({
    ...payment2,
    state,
    stateAt: now2,
    error: error2,
    ...more
  });
  const sentAt = (payment2.claim?.endsAt ?? now2) - policy.claimMs;
  const waitAt = now2 + askedMs(retryAfterMs);
  const waits = { nextAt: Math.max(sentAt + backoffMs(payment2.sends, policy), waitAt), waitAt };
  switch (step2) {
    case "refused":
      return become("refused");
    case "look_up":
      return become("look_up", { mayExist: true });
    case "repeat":
      return become("unknown", { mayExist: true, ...waits });
    case "fix":
      return become("new", { givenUpAt: now2 });
    case "call_again":
      return become("new", payment2.sends < policy.mostSends ? waits : { ...waits, givenUpAt: now2 });
  }
}
function unclaimed({ firstSendAt, ...payment2 }, { before }) {
  const sends = payment2.sends - 1;
  return { ...payment2, ...before, sends, ...sends > 0 && firstSendAt !== void 0 && { firstSendAt } };
}
function sent(order, command, now2, policy) {
  const { result } = command;
  const payment2 = paymentOf(order, command.referenceId);
  if (!payment2) return { order };
  if (result.step === "accepted") return { order: withPayment(order, accepted2(payment2, result, now2)) };
  const { claim } = payment2;
  if (payment2.state !== "sending" || claim?.token !== command.token) return { order };
  const next = "error" in result ? failed(payment2, result, now2, policy) : unclaimed(payment2, claim);
  return { order: withPayment(order, next) };
}
function paid(order, payment2, { token, mayTell }, now2, policy) {
  const { referenceId: referenceId2 } = payment2;
  if (payment2.state === "paid") {
    const firstPaid = order.paidBy === referenceId2 && order.paidToken === token;
    return { order, changed: payment2.endedToken === token, firstPaid, effect: effectOf(order, token) };
  }
  const counted = withPayment(order, { ...payment2, state: "paid", stateAt: now2, endedToken: token });
  if (isEnded(order)) return { order: counted, changed: true, firstPaid: false };
  const first = { ...counted, paidBy: referenceId2, paidAt: now2, paidToken: token };
  const result = { changed: true, firstPaid: true };
  if (!policy.tells) return { order: first, ...result };
  const untold = { ...first, telling: { tries: 0, nextAt: now2 } };
  if (!mayTell) return { order: untold, ...result };
  return { ...claimed(untold, { type: "tell", at: now2 }, token, now2, policy), ...result };
}
function differences({ asked }, event2) {
  const merchantId = event2.merchantId ?? asked.merchantId;
  return [
    ...event2.value === asked.value ? [] : ["amount"],
    ...event2.currency === asked.currency ? [] : ["currency"],
    ...merchantId === asked.merchantId ? [] : ["merchantId"]
  ];
}
function event(order, command, now2, policy) {
  const { token } = command;
  const payment2 = paymentOf(order, command.event.referenceId);
  if (!payment2) return { order, problem: "no_reference" };
  const mismatch = differences(payment2, command.event);
  if (mismatch.length > 0) {
    if (payment2.mismatchAt !== void 0) return { order, mismatch };
    return { order: withPayment(order, { ...payment2, mismatchAt: now2 }), mismatch };
  }
  const { word: word3 } = command.event;
  if (word3 === "paid") return paid(order, payment2, command, now2, policy);
  if (!unpaidStates.includes(payment2.state)) return { order, changed: payment2.endedToken === token };
  const next = { ...payment2, state: word3, stateAt: now2, endedToken: token };
  return { order: withPayment(order, next), changed: true };
}
function told(order, { token, isTold }, now2, policy) {
  const { telling, ...rest } = order;
  if (!telling) return { order };
  if (isTold) return { order: rest };
  if (telling.claim?.token !== token) return { order };
  const { tries } = telling;
  return {
    order: { ...rest, telling: { tries, nextAt: now2 + Math.min(backoffMs(tries, policy), longestTellMs) } }
  };
}
function lookUp(order, { referenceId: referenceId2 }, now2) {
  const payment2 = paymentOf(order, referenceId2);
  if (!payment2) return { order, problem: "no_reference" };
  const safeAt = payment2.claim?.safeAt ?? now2;
  if (!["new", "sending", "unknown"].includes(payment2.state)) return { order, safeAt };
  return { order: withPayment(order, { ...payment2, state: "look_up", stateAt: now2 }), safeAt };
}
function conclude(order, command, now2, policy) {
  const { word: word3, paymentUrl } = command;
  const found = paymentOf(order, command.referenceId);
  if (!found) return { order, problem: "no_reference" };
  const {
    mismatchAt: _mismatchAt,
    existsAfterAllAt: _existsAfterAllAt,
    noWordAt: _noWordAt,
    ...payment2
  } = found;
  const become = (state, more = {}) => ({
    order: withPayment(order, {
      ...payment2,
      ...more,
      state,
      stateAt: payment2.state === state ? payment2.stateAt : now2
    }),
    done: true
  });
  if (word3 === "paid")
    return { ...paid(withPayment(order, payment2), payment2, command, now2, policy), done: true };
  if (word3 === "over") return payment2.state === "paid" ? { order, done: false } : become("over");
  if (word3 === "exists") {
    const isLast = order.payments.at(-1) === found;
    const mayOpen = isLive(payment2) || payment2.state === "absent" || payment2.state === "refused";
    const link = paymentUrl !== void 0 && payment2.paymentUrl === void 0 ? { paymentUrl } : {};
    if (isLast && mayOpen) return become("open", { openedAt: now2, mayExist: true, ...link });
    return become(payment2.state, link);
  }
  const safeAt = payment2.claim?.safeAt ?? now2;
  const isStopped = ["look_up", "overdue", "absent"].includes(payment2.state);
  const isSafe = isStopped && found.existsAfterAllAt === void 0 && now2 >= safeAt;
  return isSafe ? become("absent") : { order, done: false, safeAt };
}
function refunded(order, { referenceId: referenceId2 }, now2) {
  const payment2 = paymentOf(order, referenceId2);
  if (!payment2) return { order, problem: "no_reference" };
  if (!isToRefund(payment2, order)) return { order };
  return { order: withPayment(order, { ...payment2, refundedAt: now2 }) };
}
function cancel(order, now2) {
  if (order.paidBy !== void 0) return { order, done: false };
  return { order: order.cancelledAt === void 0 ? { ...order, cancelledAt: now2 } : order, done: true };
}
function restored(order, { sinceAt }, now2) {
  const payments2 = mapped(order.payments, (payment2) => {
    const isAffected = payment2.state === "new" && payment2.addedAt <= sinceAt;
    const { givenUpAt: _givenUpAt, ...kept2 } = payment2;
    return isAffected ? { ...kept2, state: "unknown", stateAt: now2, mayExist: true, nextAt: now2 } : payment2;
  });
  return { order: payments2 === order.payments ? order : { ...order, payments: payments2 } };
}
function addInvoice(order, { upload, content }, now2) {
  const kept2 = order.invoices.filter(({ state }) => state !== "refused" && state !== "dropped");
  if (kept2.some((invoice) => invoice.content === content)) return { order };
  if (kept2.length >= mostInvoices) return { order, problem: "too_many_invoices" };
  const number4 = order.invoices.length + 1;
  const added = { number: number4, upload, content, state: "new", stateAt: now2, sends: 0, nextAt: now2 };
  return { order: { ...order, invoices: [...order.invoices, added] } };
}
function uploaded(order, command, now2, policy) {
  const { result } = command;
  const invoice = order.invoices.find(({ number: number4 }) => number4 === command.number);
  if (!invoice) return { order };
  const become = (state, more = {}) => ({
    order: withInvoice(order, { ...invoice, state, stateAt: now2, ...more })
  });
  if (result.step === "accepted") return invoice.state === "stored" ? { order } : become("stored");
  const isOwn = invoice.claim?.token === command.token;
  if (!isOwn || invoice.state !== "sending" && invoice.state !== "look_up") return { order };
  if (!("error" in result)) return become("new", { sends: invoice.sends - 1 });
  const { step: step2, error: error2, retryAfterMs } = result;
  if (step2 === "repeat" || step2 === "look_up") return become("look_up", { error: error2 });
  if (step2 !== "call_again" || invoice.sends >= policy.mostSends) return become("refused", { error: error2 });
  const nextAt = now2 + Math.max(backoffMs(invoice.sends, policy), askedMs(retryAfterMs));
  return become("new", { error: error2, nextAt });
}
function concludeInvoice(order, command, now2) {
  const invoice = order.invoices.find(({ number: number4 }) => number4 === command.number);
  if (!invoice) return { order, problem: "no_invoice" };
  const { state, claim } = invoice;
  const become = (next) => ({
    order: withInvoice(order, { ...invoice, state: next, stateAt: now2, nextAt: now2 }),
    done: true
  });
  if (command.word === "stored") return state === "stored" ? { order, done: true } : become("stored");
  if (state === "refused") return become("dropped");
  const safeAt = claim?.safeAt ?? now2;
  return state === "look_up" && now2 >= safeAt ? become("new") : { order, done: false, safeAt };
}
function decided(order, command, now2, policy) {
  switch (command.type) {
    case "start":
      return start(order, command, now2, policy);
    case "add":
      return add(order, command, now2);
    case "move":
      return move(order, command, now2, policy);
    case "sent":
      return sent(order, command, now2, policy);
    case "event":
      return event(order, command, now2, policy);
    case "told":
      return told(order, command, now2, policy);
    case "lookUp":
      return lookUp(order, command, now2);
    case "conclude":
      return conclude(order, command, now2, policy);
    case "refunded":
      return refunded(order, command, now2);
    case "cancel":
      return cancel(order, now2);
    case "restored":
      return restored(order, command, now2);
    case "addInvoice":
      return addInvoice(order, command, now2);
    case "uploaded":
      return uploaded(order, command, now2, policy);
    case "concludeInvoice":
      return concludeInvoice(order, command, now2);
  }
}
function decide(orderId, found, command, now2, policy) {
  const mayMake = command.type === "cancel" || command.type === "add" || command.type === "start" && command.next;
  if (!found && !mayMake) return { order: void 0, problem: "no_order" };
  const made = found ?? { orderId, payments: [], invoices: [] };
  const order = command.type === "sent" ? made : afterTime(made, now2, policy);
  const effect = command.type === "start" || command.type === "move" ? effectOf(order, command.token) : void 0;
  if (effect) return { order, effect };
  const decision = decided(order, command, now2, policy);
  return decision.order ? { ...decision, order: afterTime(decision.order, now2, policy) } : decision;
}
function dueAt(order, policy) {
  const times = [
    ...allDue(order, policy).map(({ at }) => at),
    ...order.payments.map((payment2) => changesAt(payment2)),
    ...order.invoices.map(
      ({ state, claim }) => state === "sending" && claim ? claim.endsAt + graceMs : Infinity
    )
  ];
  const first = Math.min(...times);
  return first === Infinity ? void 0 : first;
}
function changesAt(payment2) {
  const { state, claim, lifetimeMs = Infinity, firstSendAt = Infinity, openedAt = 0, noWordAt } = payment2;
  if (state === "sending" && claim) return claim.endsAt + graceMs;
  if (state === "unknown") return firstSendAt + lifetimeMs;
  if (state !== "open" && state !== "look_up") return Infinity;
  const isSilent = state === "open" && payment2.lifetimeMs === void 0 && noWordAt === void 0;
  return isSilent ? openedAt + dayMs : overdueAt(payment2) ?? Infinity;
}

// src/orders/run-command.ts
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
var mostTries = 12;
var mostFailures = 3;
function pauseBefore(tries) {
  return pause(Math.min(400, 5 * 2 ** tries) * (0.5 + Math.random()));
}
async function withRetries({ transaction }, statements2) {
  for (let failures = 1; ; failures += 1) {
    try {
      return await statements2();
    } catch (cause) {
      if (cause instanceof OrderError || cause instanceof ConfigurationError) throw cause;
      if (transaction)
        throw new OrderError(
          "CONFLICT",
          "the database refused a statement in your transaction: roll it back and run it again",
          { cause }
        );
      if (failures >= mostFailures) throw cause;
      await pauseBefore(failures + 3);
    }
  }
}
async function readFrom({ storage, key: key2, orderId }) {
  const startedAt = Date.now();
  const { now: now2, row: row2 } = await storage.read(key2);
  const order = row2 && jsonIn(row2.data);
  if (order && orderId !== void 0 && order.orderId !== orderId)
    throw new OrderError("CONFLICT", "another order has the same key");
  return { now: now2, order, row: row2, startedAt };
}
async function readOrder(place) {
  const { order } = await withRetries(place, () => readFrom(place));
  return order;
}
function rowOf(key2, order, token, now2, policy) {
  const reviews = reviewsOf(order).map(({ sinceAt }) => sinceAt);
  return {
    key: key2,
    orderId: order.orderId,
    token,
    dueAt: dueAt(order, policy) ?? null,
    reviewAt: reviews.length > 0 ? Math.min(...reviews) : null,
    changedAt: now2,
    data: JSON.stringify(order)
  };
}
async function runCommand(place, commandFor) {
  const { storage, key: key2, transaction } = place;
  const writeToken = randomUUID();
  let read = await withRetries(place, () => readFrom(place));
  for (let tries = 0; tries < mostTries; tries += 1) {
    const { order: found, row: before, now: now2 } = read;
    const { command, policy } = await commandFor(found);
    const orderId = place.orderId ?? found?.orderId ?? "";
    const decision = decide(orderId, found, command, now2, policy);
    if (!decision.order) return doneWith(decision, read);
    const row2 = rowOf(key2, decision.order, writeToken, now2, policy);
    const isDueAsStored = command.type !== "move" || before?.dueAt === row2.dueAt;
    if (decision.order === found && isDueAsStored) return doneWith(decision, read);
    read = await withRetries(place, async () => {
      await (before ? storage.replace(row2, before.version) : storage.insert(row2));
      return readFrom(place);
    });
    if (read.row?.token === writeToken) {
      const { effect } = decision.effect ? decide(orderId, read.order, command, read.now, policy) : {};
      return doneWith({ ...decision, order: read.order, effect }, read);
    }
    if (transaction) break;
    await pauseBefore(tries);
  }
  throw new OrderError(
    "CONFLICT",
    transaction ? "another transaction wrote this order: roll yours back and run it again" : "others wrote this order again and again: try it again later"
  );
}
function doneWith(decision, { startedAt, now: now2 }) {
  const endsAt = decision.effect?.claim.endsAt ?? now2;
  return { ...decision, sendBefore: new Date(startedAt + (endsAt - now2)) };
}

// src/http/bounded.ts
import { setMaxListeners } from "node:events";
function listen(signal, onAbort) {
  valueOf(() => setMaxListeners(0, signal));
  let isListening = true;
  const heard = () => {
    if (isListening) onAbort();
  };
  signal.addEventListener("abort", heard);
  if (signal.aborted) queueMicrotask(heard);
  return () => {
    isListening = false;
    valueOf(() => signal.removeEventListener("abort", heard));
  };
}
function watch({ ms, signal, runtime }, end2) {
  const unlisten = signal && listen(signal, () => end2("aborted"));
  const cancelTimer = runtime.after(ms, () => end2("timeout"));
  return () => {
    cancelTimer();
    unlisten?.();
  };
}
function bounded(work, limit) {
  if (limit.signal?.aborted) return Promise.resolve({ ended: "aborted" });
  if (limit.ms <= 0) return Promise.resolve({ ended: "timeout" });
  const inner = new AbortController();
  return new Promise((resolve) => {
    const end2 = (result) => {
      unwatch();
      resolve(result);
      if (result.ended === "timeout" || result.ended === "aborted") inner.abort();
    };
    const unwatch = watch(limit, (ended) => end2({ ended }));
    (async () => work(inner.signal))().then(
      (value) => end2({ ended: "done", value }),
      (error2) => end2({ ended: "failed", error: error2 })
    );
  });
}
function wait(limit) {
  return new Promise((resolve) => {
    const unwatch = watch(limit, () => {
      unwatch();
      resolve();
    });
  });
}

// src/http/runtime.ts
import { randomBytes } from "node:crypto";

// src/http/workers.ts
function isWorkers(scope = globalThis) {
  return readProperty(readProperty(scope, "navigator"), "userAgent") === "Cloudflare-Workers";
}
var workersFetch = (input, init) => {
  if (!(init?.body instanceof ReadableStream)) return fetch(input, init);
  const Fixed = Reflect.get(globalThis, "FixedLengthStream");
  const length = Number(new Headers(init.headers).get("content-length"));
  return fetch(input, { ...init, body: init.body.pipeThrough(new Fixed(length)) });
};

// src/version.ts
var version = "1.0.0";

// src/http/timers.ts
var { setTimeout, clearTimeout, setImmediate } = globalThis;
var { performance: performance2 } = globalThis;
var now = performance2.now.bind(performance2);
var monotonicMs = () => now();
function nextTurn() {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

// src/http/runtime.ts
function machineTime() {
  const time = /* @__PURE__ */ new Date();
  return isWireInstant(time) ? time : new Date(performance.timeOrigin + monotonicMs());
}
function startedNow({ monotonicMs: monotonic, wallMs }) {
  return { monotonicMs: monotonic(), wallMs: wallMs() };
}
var systemRuntime = {
  now: machineTime,
  wallMs: () => Date.now(),
  monotonicMs,
  after: (ms, work) => {
    const timer = setTimeout(work, ms);
    return () => {
      clearTimeout(timer);
    };
  },
  random: Math.random,
  boundary: () => `----${randomBytes(18).toString("hex")}`
};
function runtimeName(versions, inWorkers = isWorkers()) {
  if (inWorkers) return "cloudflare-workers";
  const name = ["bun", "deno", "node"].find((candidate) => versions[candidate] !== void 0) ?? "unknown";
  return `${name}/${versions[name] ?? "0"}`;
}
var userAgent = `installment-payments/${version} ${runtimeName(process.versions)}`;

// src/orders/send.ts
function notAsked(code, action) {
  return { step: "call_again", error: { code, action } };
}
function resultOf(error2) {
  if (!isInstallmentError(error2)) {
    const action2 = "The client threw something that is not an InstallmentError: see the log.";
    return { step: "repeat", error: { code: "UNKNOWN", action: action2 } };
  }
  const { code, action, nextStep: step2, retryAfterMs, $metadata } = error2;
  if (code === "TIMEOUT" && $metadata?.attempts.length === 0) return { step: "too_late" };
  return { step: step2, error: { code, action }, ...retryAfterMs !== void 0 && { retryAfterMs } };
}
async function sendPayment(client, { payment: payment2 }, { sendBefore, repeatUnknown }) {
  const { request, additionalFields } = jsonIn(payment2.request ?? "");
  const { paymentUrl, qrData } = await client.initiatePayment(request, {
    additionalFields,
    idempotencyKey: payment2.idempotencyKey,
    sendBefore,
    ...payment2.mayExist && { mayHaveBeenSent: true, maxRetries: 0 },
    ...!repeatUnknown && { repeatUnknown }
  });
  return { step: "accepted", paymentUrl, ...qrData !== void 0 && { qrData } };
}
async function sendInvoice(client, { invoice }, { order, view, sendBefore, loadFile, report }) {
  const { upload, file: name } = jsonIn(invoice.upload ?? "");
  const ms = sendBefore.getTime() - Date.now();
  const load = async () => name === void 0 ? void 0 : await loadFile?.(name, view);
  const loaded2 = await bounded(load, { ms, signal: void 0, runtime: systemRuntime });
  if (loaded2.ended === "failed") report("error", "loadFile failed", { orderId: order.orderId }, loaded2.error);
  if (loaded2.ended !== "done" || name !== void 0 && loaded2.value === void 0)
    return notAsked("FILE_NOT_LOADED", "loadFile failed, or was too slow. Nothing was sent.");
  const merchantId = order.payments.find(({ referenceId: referenceId2 }) => referenceId2 === order.paidBy)?.asked.merchantId;
  await client.uploadInvoice(
    { merchantId, ...upload, referenceId: order.paidBy ?? "", file: loaded2.value },
    { sendBefore, maxRetries: 0 }
  );
  return { step: "accepted" };
}
async function carryOut(effect, client, sending) {
  try {
    if (effect.type === "upload") return await sendInvoice(client, effect, sending);
    return await sendPayment(client, effect, sending);
  } catch (error2) {
    if (!isInstallmentError(error2))
      sending.report("error", "the client failed", { orderId: sending.order.orderId }, error2);
    return resultOf(error2);
  }
}

// src/orders/stored-request.ts
import { createHash } from "node:crypto";
import * as z6 from "zod/mini";

// src/operations/parse-input.ts
function withDefaults(request, defaults) {
  if (!isRecord(request)) return request;
  const complete = { ...request };
  for (const [name, value] of Object.entries(defaults)) {
    if (complete[name] === void 0) complete[name] = value;
  }
  return complete;
}
function parseInput(parse) {
  try {
    return parse();
  } catch {
    return refusedAt([], "cannot be read: one of its fields throws");
  }
}
var notOwn = "is inherited or a getter of a class, so it is not a property of the object itself, which alone is sent: copy it, as in { ...order, referenceId: order.referenceId }";
function isNotOwn(object4, name) {
  const isOwn = Object.prototype.propertyIsEnumerable.call(object4, name);
  return !isOwn && readProperty(object4, name) !== void 0;
}
function refuseNotOwn(parsed, schema, request) {
  if (!isRecord(request)) return parsed;
  const names = namesAt(schema, [])?.filter((name) => isNotOwn(request, name)) ?? [];
  if (names.length === 0) return parsed;
  const others = "issues" in parsed ? parsed.issues.filter(({ path }) => !names.includes(String(path[0]))) : [];
  return { issues: [...others, ...names.flatMap((name) => refusedAt([name], notOwn).issues)] };
}
function parseRequest(schema, request, defaults, hint) {
  return parseInput(
    () => refuseNotOwn(parseWith(schema, withDefaults(request, defaults), { hint }), schema, request)
  );
}
function requireFields(request, defaults) {
  if (!isRecord(request)) return { value: void 0 };
  const issues = Object.entries(defaults).filter(([name, value]) => value === void 0 && readProperty(request, name) === void 0).flatMap(
    ([name]) => refusedAt([name], "is required; pass it here, or once as an option of the client").issues
  );
  return issues.length === 0 ? { value: void 0 } : { issues };
}
function parseCallOptions(rules2, options) {
  const parsed = parseInput(() => parseWith(rules2, options, unknownOption));
  if ("value" in parsed) return parsed;
  return { issues: parsed.issues.map((issue) => ({ ...issue, path: ["options", ...issue.path] })) };
}
function subjectOf(operation4, request) {
  const referenceId2 = readProperty(request, "referenceId");
  return typeof referenceId2 === "string" && isReferenceId(referenceId2) ? { operation: operation4, referenceId: referenceId2 } : { operation: operation4 };
}
function isRepeat(options) {
  return readProperty(options, "mayHaveBeenSent") === true;
}
function allOrThrow(subject, options, ...parts) {
  const issues = parts.flatMap((part) => "issues" in part ? part.issues : []);
  if (issues.length > 0) throw invalidInput(issues, subject, { mayHaveBeenSent: isRepeat(options) });
  return parts.map((part) => "value" in part && part.value);
}

// src/protocol/additional-fields.ts
import * as z5 from "zod/mini";

// src/protocol/invoice-schema.ts
import * as z3 from "zod/mini";

// src/protocol/file-types.ts
var fileTypes = {
  "application/pdf": { extensions: ["pdf"], aliases: ["application/x-pdf"], byUrl: true },
  "image/png": { extensions: ["png"], aliases: ["image/x-png"], byUrl: true },
  "image/jpeg": { extensions: ["jpg", "jpeg"], aliases: ["image/jpg", "image/pjpeg"], byUrl: true },
  "application/xml": { extensions: ["xml"], aliases: ["text/xml"], byUrl: false }
};
var urlExtensions = Object.values(fileTypes).flatMap(
  (type) => type.byUrl ? type.extensions : []
);
function detectFileType(bytes) {
  const start3 = Buffer.from(bytes.subarray(0, 1024)).toString("latin1");
  if (start3.startsWith("\x89PNG\r\n\n")) return "image/png";
  if (start3.startsWith("\xFF\xD8\xFF")) return "image/jpeg";
  if (start3.startsWith("%PDF-")) return "application/pdf";
  if (looksLikeXml(bytes)) return "application/xml";
  return start3.includes("%PDF-") ? "application/pdf" : void 0;
}
function decode(bytes) {
  const [first, second] = bytes;
  const isBigEndian = first === 0 || first === 254 && second === 255;
  const isLittleEndian = second === 0 || first === 255 && second === 254;
  const encoding = isBigEndian ? "utf-16be" : isLittleEndian ? "utf-16le" : "utf-8";
  return new TextDecoder(encoding).decode(bytes.subarray(0, 65536));
}
var beforeFirstTag = /\s+|<\?[^]*?\?>|<!--[^]*?-->/y;
var htmlStart = /<(?:!doctype\s+)?html(?![^\s/>[])/iy;
function looksLikeXml(bytes) {
  const text2 = decode(bytes);
  if (!text2.trimStart().startsWith("<")) return false;
  let position = 0;
  beforeFirstTag.lastIndex = 0;
  while (beforeFirstTag.test(text2)) position = beforeFirstTag.lastIndex;
  htmlStart.lastIndex = position;
  return !htmlStart.test(text2);
}
var otherDocuments = "txt csv tsv json html htm xhtml rtf doc docx docm odt xls xlsx xlsm ods ppt pptx odp eml msg gif webp jp2 jxl bmp tif tiff svg ico heic heif avif psd eps zip rar 7z gz tgz";
var documentExtensions = /* @__PURE__ */ new Set([
  ...Object.values(fileTypes).flatMap((type) => type.extensions),
  ...otherDocuments.split(" ")
]);
var otherFiles = "md ai mp3 wav mp4 mov avi mkv webm tar bz2 xz exe msi dll bat cmd sh ps1 js mjs cjs vbs jar apk dmg iso bin";
var fileExtensions = /* @__PURE__ */ new Set([...documentExtensions, ...otherFiles.split(" ")]);
function extensionFits(name, extensions, known) {
  const [, extension = ""] = /\.([a-z0-9]+)$/.exec(name.toLowerCase()) ?? [];
  return !known.has(extension) || extensions.includes(extension);
}
function urlPathFits(path) {
  return extensionFits(path, urlExtensions, fileExtensions);
}
function nameFits(name, contentType) {
  return extensionFits(name, fileTypes[contentType].extensions, documentExtensions);
}
var declaredForAny = ["", "application/octet-stream", "binary/octet-stream"];
function declaredTypeFits(declared, contentType) {
  const type = declared.replace(/;.*/s, "").trim().toLowerCase();
  return [...declaredForAny, contentType, ...fileTypes[contentType].aliases].includes(type);
}

// src/protocol/file-rules.ts
var FileProblem = class {
  constructor(message, resultStatus = "INVALID_REQUEST") {
    this.message = message;
    this.resultStatus = resultStatus;
  }
  message;
  resultStatus;
};
var tooLarge = new FileProblem(
  `must not be larger than ${maxFileMegabytes} MB (${maxFileBytes} bytes)`,
  "FILE_TOO_LARGE"
);
function wireName(source, contentType) {
  const name = source.filename ?? (source.kind === "path" ? source.path : "");
  if (/[\r\n\0]/.test(name)) return new FileProblem("has a name that contains CR, LF or NUL");
  if (!name.isWellFormed()) return new FileProblem("has a name that is not well-formed Unicode");
  const base = name.replace(/^.*[/\\]/s, "");
  return ["", ".", ".."].includes(base) ? `invoice.${fileTypes[contentType].extensions[0]}` : base;
}
function checkFile(source, bytes) {
  if (bytes.length === 0) return new FileProblem("must not be empty");
  if (bytes.length > maxFileBytes) return tooLarge;
  const contentType = detectFileType(bytes);
  if (contentType === void 0) {
    return new FileProblem(
      "must be a pdf, png, jpg or xml file by its content, such as %PDF- or a tag of XML at its beginning; HTML is not accepted",
      "INVALID_FILE_TYPE"
    );
  }
  const filename = wireName(source, contentType);
  if (filename instanceof FileProblem) return filename;
  const misfit = (problem) => new FileProblem(`${problem}, ${contentType}`, "INVALID_FILE_TYPE");
  if (!nameFits(filename, contentType)) return misfit("has a name whose extension does not fit its content");
  if (!declaredTypeFits(source.contentType ?? "", contentType)) {
    return misfit("has a contentType that does not fit its content");
  }
  return { bytes, filename, contentType };
}

// src/protocol/file-source.ts
import { fileURLToPath } from "node:url";
var fileRule = "must be a Blob or File, bytes, a stream of bytes, { path }, or { data, filename } with one of them as data";
function isBlob(value) {
  return typeof value["arrayBuffer"] === "function" && typeof value["stream"] === "function" && typeof value["size"] === "number";
}
function isWebStream(value) {
  return "getReader" in value && typeof value.getReader === "function" && "cancel" in value;
}
function isAsyncIterable(value) {
  return Symbol.asyncIterator in value && typeof value[Symbol.asyncIterator] === "function";
}
function pathSource(path) {
  if (typeof path === "string") {
    if (path === "" || path.includes("\0")) return "has a path that is empty or contains NUL";
    if (path.startsWith("file://")) return "has a file: URL as a string: pass new URL(path), or a path";
    return { kind: "path", path };
  }
  const { href } = isRecord(path) ? path : {};
  if (typeof href !== "string") return "has a path that is neither a string nor a file: URL";
  const local = valueOf(() => fileURLToPath(href));
  if (local === void 0) return "has a path that is not a file: URL of this machine";
  return { kind: "path", path: local };
}
function optionalText(value) {
  return value === void 0 || typeof value === "string" && value.isWellFormed();
}
var namedFields = ["data", "filename", "contentType"];
function namedSource(value) {
  const { data, filename, contentType } = value;
  if (!Object.keys(value).every((key2) => namedFields.includes(key2)))
    return `must have the fields ${namedFields.join(", ")} only`;
  if (isRecord(data) && !isBlob(data) && "data" in data) return "has another { data } inside its data";
  if (!optionalText(filename)) return "has a filename that is not a well-formed string";
  if (!optionalText(contentType)) return "has a contentType that is not a well-formed string";
  const source = fileSourceOf(data);
  if (typeof source === "string") return source;
  return {
    ...source,
    filename: filename ?? source.filename,
    contentType: contentType ?? source.contentType
  };
}
function fileSourceOf(value) {
  if (typeof value === "string") {
    return "must not be a string, which could be a path or the content: pass { path } to read a file, or its bytes";
  }
  const bytes = bytesOf(value);
  if (bytes) return { kind: "bytes", bytes };
  if (!isRecord(value)) return `${fileRule}; ${finding(value)}`;
  if (isBlob(value)) {
    const { name, type } = value;
    return {
      kind: "blob",
      blob: value,
      filename: typeof name === "string" && name !== "" ? name : void 0,
      contentType: typeof type === "string" ? type : void 0
    };
  }
  if (isWebStream(value)) {
    return value.locked ? "is a stream that is being read elsewhere" : { kind: "stream", stream: value };
  }
  if (isAsyncIterable(value)) return { kind: "stream", stream: value };
  if ("data" in value) return namedSource(value);
  if ("path" in value) {
    return Object.keys(value).length === 1 ? pathSource(value["path"]) : "must have the field path only; to name the file, pass { data: { path }, filename }";
  }
  return `${fileRule}; ${finding(value)}`;
}

// src/protocol/json-text.ts
import { isMap, isSet } from "node:util/types";
var JsonProblem = class extends TypeError {
};
function isJson(text2) {
  return jsonIn(text2) !== void 0;
}
function loss(value, written, isElement) {
  for (const part of [value, written]) {
    if (typeof part === "function" || typeof part === "symbol") return `is a ${typeof part}`;
  }
  if (ArrayBuffer.isView(value)) return `is ${kindOf(value)}`;
  if (typeof written === "number" && !Number.isFinite(written)) return "is not a finite number";
  if (typeof written === "string" && !written.isWellFormed()) return "is not well-formed Unicode";
  if (typeof value === "object" && value !== null) {
    if (written === null || written === void 0)
      return `is ${kindOf(value)} that JSON writes as ${String(written)}`;
  } else if (isElement && value === void 0) return "is undefined";
  if (typeof written !== "object" || written === null || Array.isArray(written)) return void 0;
  const hasFields = Object.keys(written).length > 0 && !isMap(written) && !isSet(written) && !ArrayBuffer.isView(written);
  return isPlainObject(written) || hasFields ? void 0 : `is ${kindOf(written)}`;
}
function jsonTextOf(value) {
  const paths = /* @__PURE__ */ new Map();
  let problem;
  try {
    return JSON.stringify(value, function(key2, written) {
      const path = [...paths.get(this) ?? [], ...paths.size > 0 ? [key2] : []];
      const found = key2.isWellFormed() ? loss(Reflect.get(this, key2), written, Array.isArray(this)) : "has a name that is not well-formed Unicode";
      if (found !== void 0) {
        problem = new JsonProblem(`cannot be written as JSON: ${pathText(path) || "it"} ${found}`);
        throw problem;
      }
      if (typeof written === "object") paths.set(written, path);
      return written;
    });
  } catch {
  }
  return problem ?? new JsonProblem(
    "cannot be written as JSON: it has a cycle, a BigInt, a toJSON that fails, or is nested too deeply"
  );
}

// src/protocol/urls.ts
function toUrl(value) {
  return valueOf(() => new URL(value));
}
var droppedByParser = /^[\p{Cc} ]|[\p{Cc} ]$|[\t\n\r]/u;
function parseUrl(value) {
  return droppedByParser.test(value) ? void 0 : toUrl(value);
}
var scriptSchemes = ["javascript:", "data:", "vbscript:"];
function parseLink(value) {
  const url = parseUrl(value);
  return url && !scriptSchemes.includes(url.protocol) ? url : void 0;
}
function paymentUrlProblem({ paymentUrl }) {
  if (typeof paymentUrl !== "string" || paymentUrl === "")
    return "the response is APPROVED but has no paymentUrl";
  const { protocol = "" } = toUrl(paymentUrl) ?? {};
  return scriptSchemes.includes(protocol) ? `the response is APPROVED but its paymentUrl is refused: it is a ${protocol} URL` : void 0;
}
var loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
function isInsecure(baseUrl) {
  const url = toUrl(baseUrl);
  return url?.protocol === "http:" && !loopbackHost.test(url.hostname);
}

// src/protocol/invoice-schema.ts
var extraDataRule = "must be a string that parses as JSON, or an object, such as { till: 4 }";
var extraDataText = text.check(z3.refine(isJson, "must be a string that parses as JSON"));
var extraData = converted(z3.custom(), (value, refuse) => {
  if (typeof value === "string") return value.isWellFormed() && isJson(value) ? value : refuse(extraDataRule);
  if (Object(value) !== value) return refuse(wrongOptional(extraDataRule, value));
  const json = jsonTextOf(value);
  return typeof json === "string" ? json : refuse(json.message);
});
function isFetchable(url) {
  return /^https:\/\//i.test(url) && parseUrl(url) !== void 0;
}
var fields = {
  merchantId: optional2(identifier),
  referenceId,
  paymentTransId: optional2(text),
  storeId: optional2(text),
  invoiceNumber: optional2(text),
  description: optional2(text),
  fileUrl: optional2(text)
};
var when = ({ value }) => isRecord(value);
function urlRule(fits, message, params = {}) {
  const isRight = ({ file: file2, fileUrl }) => file2 !== void 0 || typeof fileUrl !== "string" || fits(fileUrl);
  return z3.refine(isRight, { path: ["fileUrl"], message, params, when });
}
var urlRules = [
  urlRule(isFetchable, "must be an absolute https URL, such as https://files.example/invoice.pdf"),
  urlRule(
    (url) => !isFetchable(url) || urlPathFits(new URL(url).pathname),
    `must end in ${urlExtensions.join(", ")}, or have no extension`,
    { resultStatus: "INVALID_FILE_TYPE" }
  )
];
var invoiceUploadWireSchema = z3.strictObject(
  {
    ...fields,
    merchantId: identifier,
    invoiceDate: optional2(wireTimestamp(utcForm)),
    extraData: optional2(extraDataText)
  },
  object()
).check(...urlRules);
function fileProblem(value) {
  const source = fileSourceOf(value);
  if (typeof source === "string")
    return new FileProblem(value === null ? wrongOptional(fileRule, value) : source);
  const checked2 = source.kind === "bytes" && checkFile(source, source.bytes);
  return checked2 instanceof FileProblem ? checked2 : void 0;
}
var file = converted(z3.custom(), (value, refuse) => {
  const problem = fileProblem(value);
  return problem ? refuse(problem.message, { params: { resultStatus: problem.resultStatus } }) : value;
});
var invoiceUploadSchema = z3.strictObject(
  {
    ...fields,
    invoiceDate: z3.optional(inputTimestamp(utcForm, wrongOptional)),
    extraData: z3.optional(extraData),
    file: z3.optional(file)
  },
  object()
).check(
  z3.refine((upload) => upload.file !== void 0 || upload.fileUrl !== void 0, {
    path: ["file"],
    message: "is required if there is no fileUrl",
    when
  }),
  ...urlRules
);

// src/protocol/payment-schema.ts
import * as z4 from "zod/mini";

// src/values/decimal.ts
var numberShape = /^(-?\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/;
function decimalOf(value) {
  if (Number.isSafeInteger(value)) return { units: BigInt(value), scale: 0 };
  const match = numberShape.exec(String(value));
  if (!match) throw new RangeError("a decimal needs a finite number");
  const [, whole = "", fraction = "", exponent = 0] = match;
  const units = BigInt(`${whole}${fraction}`);
  const scale = fraction.length - Number(exponent);
  return scale >= 0 ? { units, scale } : { units: units * 10n ** BigInt(-scale), scale: 0 };
}
function atScale(value, scale) {
  return scale === value.scale ? value.units : value.units * 10n ** BigInt(scale - value.scale);
}
function multiply(a, b) {
  return { units: a.units * b.units, scale: a.scale + b.scale };
}
function add2(a, b) {
  const scale = Math.max(a.scale, b.scale);
  return { units: atScale(a, scale) + atScale(b, scale), scale };
}
function subtract(a, b) {
  return add2(a, { units: -b.units, scale: b.scale });
}
function compare(a, b) {
  const { units } = subtract(a, b);
  return units < 0n ? -1 : units > 0n ? 1 : 0;
}
function toNumber({ units, scale }) {
  return Number(`${units}e-${scale}`);
}
function toExactNumber(value) {
  const nearest = toNumber(value);
  return Number.isFinite(nearest) && compare(decimalOf(nearest), value) === 0 ? nearest : void 0;
}

// src/protocol/payment-schema.ts
var redirectRule = `must be an absolute URL, such as https://shop.example/paid; ${scriptSchemes.join(", ")} are refused`;
var redirectUrl = z4.string(expected(redirectRule)).check(z4.refine((value) => value.isWellFormed() && parseLink(value) !== void 0, redirectRule));
var domainLabel = String.raw`[^\s@.\u0000-\u001f\u007f-\u009f-](?:[^\s@.\u0000-\u001f\u007f-\u009f]*[^\s@.\u0000-\u001f\u007f-\u009f-])?`;
var emailShape = new RegExp(
  String.raw`^[^\s@\u0000-\u001f\u007f-\u009f]+@${domainLabel}(?:\.${domainLabel})*$`
);
var customer = z4.strictObject(
  {
    phoneNumber: patterned(
      /^\+?[0-9]+$/,
      "must be a string of digits with an optional leading +, such as 0912345678"
    ),
    email: patterned(emailShape, "must be an e-mail address, such as an@example.com"),
    firstName: text,
    lastName: text,
    rank: optional2(text),
    description: optional2(text),
    gender: optional2(oneOf(["M", "F", "U"])),
    dateOfBirth: optional2(
      patterned(dayShape, "must be a string in the form DD-MM-YYYY, such as 31-12-1990").check(
        z4.refine(isCalendarDay, "is not a real date: check the day and the month")
      )
    )
  },
  object()
);
var seller = z4.strictObject(
  { id: identifier, email: optional2(text), name: optional2(text), address: optional2(text) },
  object()
);
var installment = z4.strictObject({ packageId: identifier }, object("{ packageId }"));
var amountFields = {
  value: integerFrom(1, { "has a fraction": "round to whole \u0111\u1ED3ng" }),
  currency: only("VND")
};
var amountObject = object("{ value: 12000000 }");
var shippingFields = {
  city: text,
  district: text,
  ward: text,
  street: text,
  houseNumber: text,
  country: only("VN"),
  zipCode: optional2(text),
  streetNumber: optional2(text),
  houseExtension: optional2(text)
};
var price = moneyWith({ "is negative": "put the discount into the prices" });
var itemFields = {
  productId: identifier,
  productName: text,
  category: text,
  currency: only("VND"),
  quantity: integerFrom(1, { "has a fraction": "one line with quantity 1" }),
  price,
  description: optional2(text),
  imageUrl: optional2(text),
  totalAmount: price
};
function exactTotal({ price: price2, quantity }) {
  return multiply(decimalOf(price2), decimalOf(quantity));
}
function totalFits(item) {
  const { totalAmount } = item;
  return totalAmount === void 0 || compare(decimalOf(totalAmount), exactTotal(item)) === 0;
}
function totalAdvice({ totalAmount = 0, quantity }) {
  const price2 = Number((totalAmount / quantity).toPrecision(15));
  return totalFits({ totalAmount, quantity, price: price2 }) ? "leave it out to have it derived" : "cannot be divided into equal prices: one line with quantity 1";
}
var totalRule = "must equal price x quantity exactly";
var exactlyTotal = (messageOf2) => z4.refine(totalFits, {
  path: ["totalAmount"],
  error: ({ input }) => messageOf2(input),
  when: hasNumbers(["price", "quantity"], ["totalAmount"])
});
var wireItem = z4.strictObject(itemFields, object()).check(exactlyTotal(() => totalRule));
var inputItem = converted(
  z4.strictObject(
    { ...itemFields, currency: z4._default(only("VND"), "VND"), totalAmount: optional2(price) },
    object()
  ).check(exactlyTotal((item) => `${totalRule}; ${totalAdvice(item)}`)),
  (item, refuse) => {
    const totalAmount = item.totalAmount ?? toExactNumber(exactTotal(item));
    const problem = "cannot be derived: price x quantity has more digits than a number can hold";
    return totalAmount === void 0 ? refuse(problem, { path: ["totalAmount"] }) : { ...item, totalAmount };
  }
);
var itemsRule = `must be an array of 1 to ${maxItems} items`;
function itemsOf(item) {
  return z4.array(item, expected(itemsRule)).check(z4.minLength(1, itemsRule), z4.maxLength(maxItems, itemsRule));
}
var fields2 = {
  merchantId: optional2(identifier),
  storeId: optional2(identifier),
  referenceId,
  platformId: optional2(identifier),
  requestType: only("installment"),
  paymentMethod: oneOf(["APP", "POS", "WEB"]),
  description: text,
  successRedirectUrl: redirectUrl,
  unSuccessRedirectUrl: redirectUrl,
  amount: z4.strictObject({ ...amountFields, currency: z4._default(only("VND"), "VND") }, amountObject),
  items: itemsOf(inputItem),
  customer,
  shipping: z4.strictObject({ ...shippingFields, country: z4._default(only("VN"), "VN") }, object()),
  lang: optional2(oneOf(["vi", "en"])),
  extraData: optional2(text),
  terminalType: optional2(oneOf(["DESKTOP_BROWSER", "MOBILE_BROWSER", "MOBILE_APP"])),
  installment: optional2(installment),
  seller: optional2(seller),
  transExpiredTime: optional2(positiveInteger),
  sendSms: optional2(trueOrFalse),
  sendEmail: optional2(trueOrFalse)
};
var paymentRequestWireSchema = z4.strictObject(
  {
    ...fields2,
    merchantId: identifier,
    storeId: identifier,
    platformId: identifier,
    amount: z4.strictObject(amountFields, amountObject),
    items: itemsOf(wireItem),
    shipping: z4.strictObject(shippingFields, object())
  },
  object()
);
var paymentRequestSchema = z4.strictObject(
  { ...fields2, requestType: z4._default(fields2.requestType, "installment") },
  object()
);

// src/protocol/additional-fields.ts
var additionalFieldsHint = "A field that only your own documents show goes into the option additionalFields";
var jsonRule = "must be a plain object of JSON data, such as { voucher: 'A' }";
var uploadRule = "must be a plain object of strings, such as { voucher: 'A' }";
function refuseKnownFields(fields3, schema, refuse, path = []) {
  const known = namesAt(schema, path) ?? [];
  for (const name of Object.keys(fields3).filter((field) => known.includes(field))) {
    const here = [...path, name];
    const value = fields3[name];
    if (namesAt(schema, here) === void 0) {
      refuse(`belongs in the request itself, as ${here.join(".")}`, { path: here });
    } else if (isRecord(value)) refuseKnownFields(value, schema, refuse, here);
    else
      refuse(wrongKind(`must be an object, which is merged into ${here.join(".")}`, value), { path: here });
  }
}
function additionalJsonFields(schema) {
  return converted(z5.custom(), (value, refuse) => {
    if (!isRecord(value) || !isPlainObject(value)) return refuse(wrongKind(jsonRule, value));
    const json = jsonTextOf(value);
    if (typeof json !== "string") return refuse(json.message);
    const copy = jsonIn(json);
    if (!isRecord(copy)) return refuse(jsonRule);
    refuseKnownFields(copy, schema, refuse);
    return copy;
  });
}
var additionalPaymentFields = additionalJsonFields(paymentRequestSchema);
var partName = /^[^"\\\p{Cc}]+$/u;
function textFieldProblem(name, value) {
  if (!partName.test(name) || !name.isWellFormed())
    return "has a name that is empty or has quotes, backslashes or control characters";
  if (typeof value !== "string") return wrongKind("must be a string", value);
  return value.isWellFormed() ? void 0 : "must be well-formed Unicode";
}
var additionalUploadFields = converted(
  z5.custom(),
  (value, refuse) => {
    if (!isRecord(value) || !isPlainObject(value)) return refuse(wrongKind(uploadRule, value));
    const texts = present(value);
    for (const [name, text2] of Object.entries(texts)) {
      const problem = textFieldProblem(name, text2);
      if (problem !== void 0) refuse(problem, { path: [name] });
    }
    refuseKnownFields(texts, invoiceUploadSchema, refuse);
    return texts;
  }
);
function withAdditionalFields(body, additional) {
  if (!additional) return body;
  const merged = Object.entries(additional).map(([name, value]) => {
    const own = Reflect.get(body, name);
    return [name, isRecord(own) && isRecord(value) ? withAdditionalFields(own, value) : value];
  });
  return { ...body, ...Object.fromEntries(merged) };
}

// src/orders/stored-request.ts
function sha256(content) {
  return createHash("sha256").update(content).digest("hex");
}
var longestId = 180;
var ownKey = /^[0-9a-zA-Z_:-]{1,50}$/;
var referenceShape = /^([0-9a-zA-Z_:-]{1,53})-([1-9][0-9]{0,5})$/;
var orderIdRule = text.check(
  z6.minLength(1, "must not be empty"),
  z6.maxLength(longestId, `must have ${longestId} characters at most`),
  z6.refine((id) => !id.includes("\0"), "must not contain NUL, which no database stores in a text")
);
function keyOf(orderId) {
  const [checked2] = allOrThrow(
    { operation: "initiatePayment" },
    {},
    withPath("orderId", parseWith(orderIdRule, orderId))
  );
  if (ownKey.test(checked2)) return checked2;
  const readable = checked2.replaceAll(/[^0-9a-zA-Z_:-]/g, "").slice(0, 36);
  return `${readable.padEnd(36, "_")}_${sha256(checked2).slice(0, 16)}`;
}
function withPath(name, parsed) {
  if ("value" in parsed) return parsed;
  return { issues: parsed.issues.map((issue) => ({ ...issue, path: [name, ...issue.path] })) };
}
function keyInReference(referenceId2) {
  return referenceShape.exec(referenceId2)?.[1];
}
function draftOf(key2, request, additional, { merchantId, storeId, platformId }) {
  const defaults = { merchantId, storeId, platformId };
  const complete = { ...isRecord(request) ? request : {}, referenceId: `${key2}-1` };
  const own = readProperty(request, "referenceId") !== void 0;
  const [checked2, { additionalFields }] = allOrThrow(
    { operation: "initiatePayment" },
    {},
    parseRequest(
      paymentRequestSchema,
      isRecord(request) ? complete : request,
      defaults,
      additionalFieldsHint
    ),
    parseInput(
      () => parseWith(z6.object({ additionalFields: z6.optional(additionalPaymentFields) }), {
        additionalFields: additional
      })
    ),
    requireFields(request, defaults),
    own ? refusedAt(["referenceId"], "is made of the orderId: leave it out") : { value: void 0 }
  );
  const written = (number4) => {
    const stored = {
      request: { ...checked2, referenceId: `${key2}-${number4}` },
      ...additionalFields && { additionalFields }
    };
    return JSON.stringify(stored);
  };
  const content = sha256(written(0)).slice(0, 32);
  const lifetimeMs = checked2.transExpiredTime;
  return {
    content,
    lifetimeMs,
    payment: (number4, mayExist) => {
      const stored = written(number4);
      return {
        referenceId: `${key2}-${number4}`,
        request: stored,
        // Of all that is stored: the same order has it again, even in a database that has forgotten it.
        idempotencyKey: sha256(stored),
        content,
        asked: {
          value: checked2.amount.value,
          currency: checked2.amount.currency,
          merchantId: checked2.merchantId ?? ""
        },
        ...lifetimeMs !== void 0 && { lifetimeMs },
        mayExist
      };
    }
  };
}
function invoiceText(key2, given, canLoad) {
  const file2 = readProperty(given, "file");
  const isNamed = typeof file2 === "string" && file2 !== "" && file2.isWellFormed();
  const problem = !isNamed ? "must be the name of the file for loadFile, such as invoices/1.pdf" : "needs the option loadFile of createOrderPayments";
  const refused2 = file2 !== void 0 && !(isNamed && canLoad) ? refusedAt(["file"], problem) : { value: void 0 };
  const complete = isRecord(given) ? { ...given, referenceId: `${key2}-1`, file: file2 === void 0 ? void 0 : { path: "for loadFile" } } : given;
  const [checked2] = allOrThrow(
    { operation: "uploadInvoice" },
    {},
    parseRequest(invoiceUploadSchema, complete, {}),
    refused2
  );
  const { referenceId: _referenceId, file: _file, ...upload } = checked2;
  const stored = { upload, ...typeof file2 === "string" && { file: file2 } };
  const written = JSON.stringify(stored);
  return { upload: written, content: sha256(written).slice(0, 32) };
}

// src/orders/engine.ts
var restoreMs = 30 * 24 * 60 * 6e4;
var pageSize = 500;
var dayMs2 = 24 * 60 * 6e4;
var markKey = "";
var eventShape = z7.object({
  referenceId: z7.string(),
  status: z7.string(),
  amount: z7.object({ value: z7.number(), currency: z7.string() }),
  merchantId: z7.optional(z7.string())
});
function eventOf(given, words3) {
  const { success, data } = eventShape.safeParse(given);
  if (!success)
    throw new OrderError(
      "EVENT_UNREADABLE",
      "the event must be { referenceId, status, amount: { value, currency } }, with a number as value"
    );
  const { referenceId: referenceId2, status, amount, merchantId } = data;
  const word3 = ["paid", "declined", "expired"].find(
    (each) => (words3[each] ?? [each]).includes(status)
  );
  if (!word3) return { referenceId: referenceId2 };
  return {
    referenceId: referenceId2,
    paymentEvent: { referenceId: referenceId2, word: word3, ...amount, ...merchantId !== void 0 && { merchantId } }
  };
}
function viewOf(orderId, order) {
  const state = viewStateOf(order);
  const payment2 = order?.payments.find(({ referenceId: referenceId3 }) => referenceId3 === order.paidBy) ?? order?.payments.at(-1);
  const { referenceId: referenceId2, paymentUrl, qrData, error: error2 } = payment2 ?? {};
  const isStarted = state === "started";
  return {
    orderId,
    state,
    ...referenceId2 !== void 0 && { referenceId: referenceId2 },
    ...isStarted && paymentUrl !== void 0 && { paymentUrl },
    ...isStarted && qrData !== void 0 && { qrData },
    ...error2 && (state === "refused" || state === "new" || state === "checking") && { error: error2 }
  };
}
function viewFor(orderId, order, draft) {
  const last = order?.payments.at(-1);
  const differs = last && draft && isLive(last) && last.content !== draft.content;
  return { ...viewOf(orderId, order), ...differs && { differs } };
}
function unknownReference() {
  return new OrderError("UNKNOWN_REFERENCE", "no payment has this referenceId");
}
var Engine = class {
  #options;
  report;
  #hasWarned = false;
  constructor(options) {
    this.#options = options;
    this.report = reportTo(options.logger);
  }
  place(key2, orderId, transaction) {
    return { storage: this.#options.storageOver(transaction), key: key2, orderId, transaction };
  }
  placeOf(referenceId2, transaction) {
    const key2 = keyInReference(referenceId2);
    if (key2 === void 0) throw unknownReference();
    return this.place(key2, void 0, transaction);
  }
  async #clientFor(account) {
    const { client } = this.#options;
    return typeof client === "function" ? checkedClient(await client(account)) : client;
  }
  #policy(client) {
    const { settings } = client ?? {};
    const { claimMs, repeatAfterMs, mostSends, reviewOverdue, eraseAfterDays, onPaid } = this.#options;
    const callMs = settings?.totalTimeoutMs ?? 45e3;
    return {
      claimMs,
      // The claim, a call that began at its end, and what a proxy holds.
      safeAfterMs: Math.max(18e4, claimMs + callMs + 6e4),
      repeatAfterMs,
      mostSends,
      repeatUnknown: this.#options.repeatUnknown ?? settings?.repeatUnknown ?? true,
      reviewOverdue,
      tells: onPaid !== void 0,
      ...eraseAfterDays !== void 0 && { eraseAfterMs: eraseAfterDays * dayMs2 }
    };
  }
  /** Runs a command that needs no client. */
  async run(at, command) {
    const { client } = this.#options;
    const policy = this.#policy(typeof client === "function" ? void 0 : client);
    const done = await runCommand(at, () => Promise.resolve({ command, policy }));
    switch (done.problem) {
      case "no_reference":
        throw unknownReference();
      case "no_order":
        if (at.orderId === void 0) throw unknownReference();
        throw new OrderError("UNKNOWN_ORDER", "there is no such order");
      case "no_invoice":
        throw new OrderError("UNKNOWN_ORDER", "the order has no invoice with this number");
      case "too_many_invoices": {
        const message = `an order takes ${mostInvoices} invoices, and has as many that are stored or waiting`;
        const issue = { path: [], message, resultStatus: "LIMIT_EXCEEDED" };
        throw invalidInput([issue], { operation: "uploadInvoice" });
      }
      default:
        return done;
    }
  }
  /** Carries out the effect of a decision, and stores how it ended. */
  async settle(at, { effect, order, sendBefore }) {
    if (!effect || !order) return order;
    const { token } = effect.claim;
    const view = viewOf(order.orderId, order);
    if (effect.type === "tell") {
      const isTold = await this.#tell(view);
      return (await this.run(at, { type: "told", token, isTold })).order ?? order;
    }
    const client = await this.#clientFor(order.account).catch((error2) => {
      this.report("error", "there is no client for an order", { orderId: order.orderId }, error2);
      return void 0;
    });
    const policy = this.#policy(client);
    const { repeatUnknown } = policy;
    const { loadFile } = this.#options;
    const result = client ? await carryOut(effect, client, {
      order,
      view,
      sendBefore,
      repeatUnknown,
      loadFile,
      report: this.report
    }) : notAsked("NO_CLIENT", "The function client failed for the account of this order.");
    const command = effect.type === "send" ? { type: "sent", token, referenceId: effect.payment.referenceId, result } : { type: "uploaded", token, number: effect.invoice.number, result };
    return (await runCommand(at, () => Promise.resolve({ command, policy }))).order ?? order;
  }
  async #tell(view) {
    try {
      await this.#options.onPaid?.(view);
      return true;
    } catch (error2) {
      this.report("error", "onPaid failed, and is called again", { orderId: view.orderId }, error2);
      return false;
    }
  }
  /** True for thirty days after a restore: the service may know an order that the database has forgotten. */
  async #mayExist({ transaction }) {
    const { now: now2, row: row2 } = await this.#options.storageOver(transaction, false).read(markKey);
    return row2 !== void 0 && now2 < storedAt(row2.data) + restoreMs;
  }
  /** Begins a payment, where one may begin. */
  async begin(type, at, request, { account, additionalFields }) {
    const token = randomUUID2();
    let draft;
    const done = await runCommand(at, async (order) => {
      const client = await this.#clientFor(account ?? order?.account);
      draft = request && draftOf(at.key, request, additionalFields, client.settings ?? {});
      const mayExist = draft && !(order && isEnded(order)) && await this.#mayExist(at);
      const next = draft?.payment((order?.payments.length ?? 0) + 1, mayExist === true);
      const given = { ...next && { next }, ...account !== void 0 && { account } };
      const command = type === "add" && next ? { type, ...given, next } : { type: "start", token, ...given };
      return { command, policy: this.#policy(client) };
    });
    if (done.problem === "no_order")
      throw new OrderError("UNKNOWN_ORDER", "there is no such order: pass a request to begin one");
    if (done.problem === "other_account")
      throw new OrderError("UNKNOWN_ORDER", "the order belongs to another account");
    if (draft && draft.lifetimeMs === void 0 && !this.#hasWarned) {
      this.#hasWarned = true;
      this.report("warn", "a request has no transExpiredTime, so its payment is never overdue by itself", {});
    }
    return { done, draft };
  }
  /** The order, once nobody sends for it any more, or when the wait is over. */
  async awaited(at, order) {
    const until = Date.now() + this.#options.waitMs;
    let [found, pauseMs] = [order, 50];
    while (found?.payments.at(-1)?.state === "sending" && Date.now() < until) {
      await pause2(Math.min(pauseMs, until - Date.now()));
      pauseMs = Math.min(400, pauseMs * 1.5);
      found = await readOrder(at);
    }
    return found;
  }
  /** Moves an order, where something of it is due. */
  async sweep(key2) {
    const at = this.place(key2);
    const token = randomUUID2();
    const done = await runCommand(at, async (order) => {
      const client = await this.#clientFor(order?.account).catch(() => void 0);
      return { command: { type: "move", token }, policy: this.#policy(client) };
    });
    await this.settle(at, done);
  }
  /** All orders of a list, page after page. */
  async *all(list, from) {
    const storage = this.#options.storageOver();
    let after = { at: from, key: markKey };
    for (; ; ) {
      const rows2 = await storage[list](after, pageSize);
      for (const { key: key2, data } of rows2) if (key2 !== markKey) yield JSON.parse(data);
      const last = rows2.at(-1);
      if (!last || rows2.length < pageSize) return;
      after = last;
    }
  }
  /** Stores when the database was restored. */
  async markRestore() {
    const storage = this.#options.storageOver();
    const { now: now2, row: row2 } = await storage.read(markKey);
    const mark = {
      key: markKey,
      orderId: markKey,
      token: randomUUID2(),
      dueAt: null,
      reviewAt: null,
      changedAt: now2,
      data: JSON.stringify({ restoredAt: now2 })
    };
    await (row2 ? storage.replace(mark, row2.version) : storage.insert(mark));
  }
};
function storedAt(data) {
  return JSON.parse(data).restoredAt;
}

// src/orders/order-payments.ts
var transactionFields = { query: z8.optional(aFunction()) };
var startFields = {
  account: z8.optional(identifier),
  additionalFields: z8.optional(z8.custom())
};
var transactionRules = z8.strictObject(transactionFields);
var startRules = z8.strictObject(startFields);
var addRules = z8.strictObject({ ...startFields, ...transactionFields });
var concludeRules = z8.strictObject({ paymentUrl: z8.optional(text), ...transactionFields });
var sweepRules = z8.strictObject({
  limit: z8._default(positiveInteger, 100),
  concurrency: z8._default(positiveInteger, 10)
});
function createOrderPayments(options) {
  return new OrderPayments(checkOrderOptions(options));
}
var OrderPayments = class {
  /** The CREATE statements of the table, for a migration. Running them again changes nothing. Empty over a `storage`. */
  schema;
  #options;
  #engine;
  /** @internal */
  constructor(options) {
    this.schema = options.schema;
    this.#options = options;
    this.#engine = new Engine(options);
  }
  /**
   * The customer's click, and a job's wake-up: begins a payment where one may begin, sends what is stored, and resolves to the
   * order with its link. Called again, from another tab or machine, it gives the link that exists, or waits for it.
   *
   * @param orderId - The shop's own: 1 to 180 characters, unique over all accounts.
   * @param request - As for `initiatePayment`, without `referenceId`. Without one the call only continues.
   * @throws ValidationError before anything is stored; OrderError for an order that is not there, or of another account.
   */
  async start(orderId, request, options = {}) {
    const engine = this.#engine;
    const at = engine.place(keyOf(orderId), orderId);
    const checked2 = checkOptions(startRules, options);
    const { done, draft } = await engine.begin("start", at, request, checked2);
    const order = done.effect ? await engine.settle(at, done) : await engine.awaited(at, done.order);
    return viewFor(orderId, order, draft);
  }
  /**
   * Stores a payment without sending it, such as in the transaction of the order. `start` sends it at once, `sweep` after a
   * minute.
   *
   * @param options - As for `start`, and `query` of the transaction.
   * @throws ValidationError before anything is stored; OrderError, as `start`.
   */
  async add(orderId, request, options = {}) {
    const engine = this.#engine;
    const { query, ...checked2 } = checkOptions(addRules, options);
    const at = engine.place(keyOf(orderId), orderId, query);
    const { done, draft } = await engine.begin("add", at, request, checked2);
    return viewFor(orderId, done.order, draft);
  }
  /**
   * A verified notification. It may come twice, late and in any order. Its amount, currency and merchant are compared with what
   * was asked. Where `firstPaid` is true, ship: in the same transaction, whose `query` is passed.
   *
   * @throws OrderError for an unknown reference or an event that cannot be read: respond with 500.
   */
  async handleEvent(event2, options = {}) {
    const { query } = checkOptions(transactionRules, options);
    const engine = this.#engine;
    const { paymentEvent, referenceId: referenceId2 } = eventOf(event2, this.#options.words);
    const at = engine.placeOf(referenceId2, query);
    if (!paymentEvent) {
      const order2 = await readOrder(at);
      if (!order2?.payments.some((payment2) => payment2.referenceId === referenceId2)) throw unknownReference();
      return { ...viewOf(order2.orderId, order2), changed: false, firstPaid: false };
    }
    const command = {
      type: "event",
      token: randomUUID3(),
      event: paymentEvent,
      mayTell: query === void 0
    };
    const done = await engine.run(at, command);
    const { changed = false, firstPaid = false, mismatch } = done;
    const order = await engine.settle(at, done);
    return { ...viewOf(order?.orderId ?? "", order), changed, firstPaid, ...mismatch && { mismatch } };
  }
  /**
   * Moves every order that is due: sends, repeats, uploads, calls `onPaid`, notices what is overdue. Run it every minute, on as
   * many machines as there are. An order that fails stops no other; it is logged.
   *
   * @param options - `limit` orders at most (100), `concurrency` of them at a time (10).
   */
  async sweep(options = {}) {
    const { limit, concurrency } = checkOptions(sweepRules, options);
    const storage = this.#options.storageOver();
    const { now: now2 } = await storage.read(markKey);
    const keys = await storage.due(now2, limit);
    const shift = Math.floor(Math.random() * keys.length);
    const waiting = [...keys.slice(shift), ...keys.slice(0, shift)];
    const result = { moved: 0, failed: 0 };
    const work = async () => {
      for (let key2 = waiting.pop(); key2 !== void 0; key2 = waiting.pop()) {
        try {
          await this.#engine.sweep(key2);
          result.moved += 1;
        } catch (error2) {
          result.failed += 1;
          this.#engine.report("error", "an order could not be moved", { key: key2 }, error2);
        }
      }
    };
    await Promise.all(Array.from({ length: concurrency }, work));
    return result;
  }
  /** Everything that waits for a person, the oldest first, with the reason and what to do. */
  async forReview() {
    const items = [];
    for await (const order of this.#engine.all("inReview", 0)) {
      for (const { sinceAt, ...review } of reviewsOf(order))
        items.push({ orderId: order.orderId, ...review, since: new Date(sinceAt) });
    }
    return items.toSorted((a, b) => a.since.getTime() - b.since.getTime());
  }
  /**
   * Stops repeats of a payment, so that a person can look it up at the service. From `safeFrom` on nothing of it is under way
   * any more, and what the service has not, it will not have.
   *
   * @throws OrderError for an unknown reference
   */
  async lookUp(referenceId2) {
    const engine = this.#engine;
    const { safeAt = 0 } = await engine.run(engine.placeOf(referenceId2), { type: "lookUp", referenceId: referenceId2 });
    return { safeFrom: new Date(safeAt) };
  }
  /**
   * What a person has seen at the service after {@link lookUp}: `'absent'` (the next payment may begin), `'exists'` (with its
   * link, where it is known), `'paid'`, or `'over'` for one that cannot be paid any more. Before it is safe, `'absent'` resolves
   * to `done: false` and changes nothing. Any of them says that a mismatch was looked at.
   *
   * @throws OrderError for an unknown reference
   */
  async conclude(referenceId2, word3, options = {}) {
    const { paymentUrl, query } = checkOptions(concludeRules, options);
    checkWord("word", word3, ["absent", "exists", "paid", "over"]);
    const engine = this.#engine;
    const at = engine.placeOf(referenceId2, query);
    const done = await engine.run(at, {
      type: "conclude",
      token: randomUUID3(),
      referenceId: referenceId2,
      word: word3,
      mayTell: query === void 0,
      ...paymentUrl !== void 0 && { paymentUrl }
    });
    await engine.settle(at, done);
    const { firstPaid } = done;
    return { ...conclusionOf(done), ...word3 === "paid" && { firstPaid: firstPaid === true } };
  }
  /** A payment in `forReview()` for `refund` was refunded. @throws OrderError for an unknown reference */
  async markRefunded(referenceId2) {
    const engine = this.#engine;
    await engine.run(engine.placeOf(referenceId2), { type: "refunded", referenceId: referenceId2 });
  }
  /** The shop cancels an order: nothing is sent for it any more. Resolves to false where it is paid: refund it instead. */
  async cancel(orderId) {
    const engine = this.#engine;
    const { done } = await engine.run(engine.place(keyOf(orderId), orderId), { type: "cancel" });
    return done === true;
  }
  /**
   * Stores an invoice, which `sweep` uploads once the order is paid: one at a time, never a second time, three at most. The same
   * one added again changes nothing.
   *
   * @param invoice - As for `uploadInvoice`, without `referenceId`; `file` is a name for `loadFile`.
   * @throws ValidationError before anything is stored; OrderError for an order that is not there
   */
  async addInvoice(orderId, invoice) {
    const key2 = keyOf(orderId);
    const text2 = invoiceText(key2, invoice, this.#options.loadFile !== void 0);
    await this.#engine.run(this.#engine.place(key2, orderId), { type: "addInvoice", ...text2 });
  }
  /**
   * What a person has seen of an invoice in `forReview()`: `'stored'`, or `'absent'`. One that may have been stored is then
   * uploaded again, one that was refused is given up.
   *
   * @throws OrderError for an order or number that is not there
   */
  async concludeInvoice(orderId, number4, word3) {
    checkWord("word", word3, ["stored", "absent"]);
    const engine = this.#engine;
    const at = engine.place(keyOf(orderId), orderId);
    return conclusionOf(await engine.run(at, { type: "concludeInvoice", number: number4, word: word3 }));
  }
  /** The order as its page shows it; `state` is `'none'` for one that is not there. */
  async get(orderId) {
    return viewOf(orderId, await readOrder(this.#engine.place(keyOf(orderId), orderId)));
  }
  /** All orders that were written since a time, for the daily reconciliation. */
  async list({ changedSince }) {
    const views = [];
    for await (const order of this.#engine.all("changed", checkedTime("changedSince", changedSince) - 1))
      views.push(viewOf(order.orderId, order));
    return views;
  }
  /**
   * After a restore of the database. Payments that were added up to `since`, the time of the restore, and not sent count as
   * perhaps sent; for thirty days each payment that begins is sent with `mayHaveBeenSent: true`, because the service may know
   * an order that the database has forgotten.
   */
  async restored(since) {
    const sinceAt = checkedTime("since", since);
    await this.#engine.markRestore();
    for await (const order of this.#engine.all("changed", 0))
      await this.#engine.run(this.#engine.place(keyOf(order.orderId), order.orderId), {
        type: "restored",
        sinceAt
      });
  }
};
function conclusionOf({ done = false, safeAt }) {
  return { done, ...!done && safeAt !== void 0 && { safeFrom: new Date(safeAt) } };
}
function checkWord(name, word3, words3) {
  if (!words3.includes(word3)) throw new ConfigurationError(name, `must be one of ${words3.join(", ")}`);
}
function checkedTime(name, time) {
  const at = time instanceof Date ? time.getTime() : NaN;
  if (Number.isNaN(at)) throw new ConfigurationError(name, "must be a valid Date");
  return at;
}

// test/databases/connect.ts
import Database from "libsql";
import { createPool } from "mysql2/promise";
import pg from "pg";
async function inTransaction(query, begin, work) {
  for (const statement of begin) await query(statement, []);
  try {
    const result = await work(query);
    await query("COMMIT", []);
    return result;
  } catch (error2) {
    await query("ROLLBACK", []).catch(() => void 0);
    throw error2;
  }
}
function connectPostgres(url) {
  const pool = new pg.Pool({ connectionString: url, max: 20 });
  pool.on("error", () => void 0);
  const over = (client) => async (sql, values) => (await client.query(sql, values)).rows;
  return {
    dialect: "postgres",
    query: over(pool),
    transaction: async (work, begin = ["BEGIN"]) => {
      const client = await pool.connect();
      client.on("error", () => void 0);
      let isBroken = true;
      try {
        const result = await inTransaction(over(client), begin, work);
        isBroken = false;
        return result;
      } finally {
        client.release(isBroken);
      }
    },
    [Symbol.asyncDispose]: () => pool.end()
  };
}
function connectMySql(url) {
  const pool = createPool({ uri: url, connectionLimit: 20 });
  const over = (client) => async (sql, values) => (await client.query(sql, values))[0];
  return {
    dialect: "mysql",
    query: over(pool),
    transaction: async (work, begin = ["START TRANSACTION"]) => {
      const connection = await pool.getConnection();
      let isBroken = true;
      try {
        const result = await inTransaction(over(connection), begin, work);
        isBroken = false;
        return result;
      } finally {
        if (isBroken) connection.destroy();
        else connection.release();
      }
    },
    [Symbol.asyncDispose]: () => pool.end()
  };
}
function connectSqlite(path) {
  const database2 = new Database(path);
  database2.pragma("journal_mode = WAL");
  database2.pragma("busy_timeout = 5000");
  const direct = (sql, values) => {
    const statement = database2.prepare(sql);
    return Promise.resolve(statement.reader ? statement.all(...values) : statement.run(...values));
  };
  let last = Promise.resolve();
  const inTurn = (work) => {
    const turn = last.then(work);
    last = turn.catch(() => void 0);
    return turn;
  };
  return {
    dialect: "sqlite",
    query: (sql, values) => inTurn(() => direct(sql, values)),
    transaction: (work, begin = ["BEGIN IMMEDIATE"]) => inTurn(() => inTransaction(direct, begin, work)),
    [Symbol.asyncDispose]: () => {
      database2.close();
      return Promise.resolve();
    }
  };
}
function connect(dialect, url) {
  if (dialect === "postgres") return connectPostgres(url);
  return dialect === "mysql" ? connectMySql(url) : connectSqlite(url);
}

// src/options/client-options.ts
import * as z14 from "zod/mini";

// src/options/base-url.ts
import * as z9 from "zod/mini";

// src/options/environment.ts
function fromEnvironment(variable) {
  const value = valueOf(() => process.env[variable]);
  return value === "" ? void 0 : value;
}
function missingFor(variable) {
  const isSimilar = (name) => name !== variable && changesBetween(name.toUpperCase(), variable) <= 3;
  const similar = valueOf(() => Object.keys(process.env))?.find(isSimilar);
  const found = similar === void 0 ? "" : ` (the environment has ${similar})`;
  return `is required: pass it, or set ${variable}${found}`;
}
function givenOptions(options) {
  if (!isRecord(options)) throw new ConfigurationError("options", "must be an object");
  const copy = valueOf(() => ({ ...options }));
  if (!copy) throw new ConfigurationError("options", "cannot be read: a getter throws");
  return copy;
}
function checkWithEnvironment(rules2, options, variables2) {
  const complete = givenOptions(options);
  const used = {};
  for (const [name, variable] of Object.entries(variables2)) {
    const value = complete[name] === void 0 ? fromEnvironment(variable) : void 0;
    if (value !== void 0) [complete[name], used[name]] = [value, variable];
  }
  const { baseUrl, allowInsecureHttp } = complete;
  if (allowInsecureHttp === void 0 && isInsecure(valueOf(() => String(baseUrl)) ?? "")) {
    complete["allowInsecureHttp"] = fromEnvironment("INSTALLMENT_ALLOW_INSECURE_HTTP") === "1";
  }
  return checkOptions(rules2, complete, used);
}

// src/options/base-url.ts
var operationPaths = Object.values(endpoints).map(({ path }) => path);
function problemOf(value, variable) {
  if (value === void 0) return missingFor(variable);
  if (typeof value !== "string" && Object.prototype.toString.call(value) !== "[object URL]")
    return "must be a string or a URL";
  const written = String(value);
  const url = parseUrl(written);
  if (!url || /\s/.test(written)) return "must be an absolute URL, such as https://pay.example/api";
  if (!["https:", "http:"].includes(url.protocol))
    return "must begin with https://, or http:// for localhost, such as https://pay.example/api";
  if (url.username !== "" || url.password !== "") return "must not contain credentials";
  if (/[?#]/.test(written)) return "must not have a query or a fragment";
  if (url.port === "0") return "must not have port 0";
  const path = url.pathname.replace(/\/+$/, "");
  const known = operationPaths.find((operationPath) => path.endsWith(operationPath));
  return known === void 0 ? void 0 : `must not include ${known}: leave that out, the client adds it`;
}
function baseUrlFrom(variable) {
  return converted(z9.custom(), (value, refuse) => {
    const problem = problemOf(value, variable);
    return problem === void 0 ? new URL(value).href.replace(/\/+$/, "") : refuse(problem);
  });
}

// src/options/common-options.ts
import * as z10 from "zod/mini";
var timerRule = `must be a number of milliseconds, greater than 0 and at most ${longestTimerMs}, such as 15000`;
var milliseconds = z10.number(timerRule).check(z10.refine((value) => value > 0 && value <= longestTimerMs, timerRule));
var countRule = "must be an integer, 0 or greater, such as 2";
var limitRules = {
  attemptTimeoutMs: milliseconds,
  totalTimeoutMs: milliseconds,
  maxRetries: z10.number(countRule).check(z10.refine((value) => Number.isSafeInteger(value) && value >= 0, countRule)),
  repeatUnknown: trueOrFalse
};
var commonRules = {
  attemptTimeoutMs: z10._default(milliseconds, 15e3),
  totalTimeoutMs: z10._default(milliseconds, 45e3),
  maxRetries: z10._default(limitRules.maxRetries, 2),
  repeatUnknown: z10._default(trueOrFalse, true),
  agent: z10.optional(
    z10.custom(
      (value) => hasMethods(value, ["addRequest"]) || hasMethods(value, ["createConnection", "destroy"]),
      "must be an agent of node:http or node:https, or one made on them"
    )
  ),
  fetch: z10.optional(aFunction()),
  allowInsecureHttp: z10._default(trueOrFalse, false),
  logger: z10.optional(
    z10.custom(
      (value) => hasMethods(value, ["debug", "info", "warn", "error"]),
      "must have the methods debug, info, warn and error, like console"
    )
  ),
  logLevel: z10.optional(
    z10.enum(
      ["debug", "info", "warn", "error", "silent"],
      "must be 'debug', 'info', 'warn', 'error' or 'silent'"
    )
  ),
  hooks: z10._default(
    z10.strictObject(
      {
        beforeSend: z10.optional(aFunction()),
        onAttempt: z10.optional(aFunction())
      },
      "must be an object with beforeSend, onAttempt or both"
    ),
    {}
  ),
  now: z10.optional(
    aFunction("must be a function that returns a Date, such as () => new Date()").check(
      z10.refine((now2) => isWireInstant(valueOf(now2)), "must return a valid Date, such as new Date()")
    )
  )
};
var always = { when: () => true };
var transportRules = [
  z10.refine(({ baseUrl, allowInsecureHttp }) => allowInsecureHttp || !isInsecure(baseUrl), {
    path: ["baseUrl"],
    message: "must be https: http is accepted for localhost, 127.0.0.0/8 and [::1], and with allowInsecureHttp: true for a mock in a container network",
    ...always
  }),
  z10.refine(({ agent, fetch: fetch2 }) => agent === void 0 || fetch2 === void 0, {
    path: ["agent"],
    message: "cannot be combined with fetch: an agent belongs to the transport that fetch replaces",
    ...always
  })
];

// src/options/extra-headers.ts
import * as z11 from "zod/mini";

// src/protocol/headers.ts
var ofMerchants = { setBy: "client", operations: operations.filter(isMerchantOperation) };
var knownHeaders = {
  contentType: { name: "Content-Type", setBy: "transport", operations, journal: "kept" },
  contentLength: { name: "Content-Length", setBy: "transport", operations, journal: "kept" },
  clientId: { name: "Client-Id", ...ofMerchants, journal: "repeated" },
  requestTime: { name: "Request-Time", ...ofMerchants, journal: "repeated" },
  idempotencyKey: {
    name: "Idempotency-Key",
    ...ofMerchants,
    operations: ["initiatePayment"],
    journal: "repeated"
  },
  signature: { name: "Signature", ...ofMerchants },
  userAgent: { name: "User-Agent", setBy: "client", operations, journal: "kept" },
  accept: { name: "Accept", journal: "kept" },
  host: { name: "Host", setBy: "transport", operations, journal: "kept" }
};
function headerNames(isOne) {
  return Object.values(knownHeaders).filter(isOne).map(({ name }) => name.toLowerCase());
}
function writeHeaders(values, others) {
  const headers2 = { ...others };
  for (const key2 of Object.keys(values)) {
    const value = values[key2];
    if (value !== void 0) headers2[knownHeaders[key2].name] = value;
  }
  return headers2;
}
var transportHeaders = /* @__PURE__ */ new Set([
  ...headerNames(({ setBy }) => setBy === "transport"),
  // Neither set by name nor recorded.
  ..."content-encoding transfer-encoding connection keep-alive upgrade expect te trailer".split(" ")
]);
var clientHeaders = new Set(headerNames(({ setBy }) => setBy === "client"));
function isTransportHeader(name) {
  return transportHeaders.has(name.toLowerCase());
}
function isReservedHeader(name) {
  return isTransportHeader(name) || clientHeaders.has(name.toLowerCase());
}
function isHeaderName(name) {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name);
}
function isHeaderValue(value) {
  return /^[\x20-\x7e\xa0-\xff]*$/.test(value);
}
function isExactHeaderValue(value) {
  return value !== "" && isHeaderValue(value) && value.trim() === value;
}

// src/options/extra-headers.ts
function headersProblem(headers2, isReserved = isReservedHeader) {
  if (Object.prototype.toString.call(headers2) !== "[object Object]") {
    return "must be a plain object, such as { 'X-Trace': 'a' }, not a Headers, a Map or an array";
  }
  const names = /* @__PURE__ */ new Set();
  for (const [name, value] of Object.entries(headers2)) {
    if (!isHeaderName(name))
      return "must have names such as X-Trace: one is empty or has a character that no header name has";
    if (isReserved(name)) return `must not set ${name}, which is set by the client and cannot be overridden`;
    if (names.has(name.toLowerCase())) return "has the same header twice, in different case";
    names.add(name.toLowerCase());
    if (typeof value !== "string" || !isHeaderValue(value)) {
      return `must have a value for ${name} that is a string of printable Latin-1 characters`;
    }
  }
  return void 0;
}
function headersRule(problemOf2) {
  return converted(z11.custom(), (value, refuse) => {
    const problem = problemOf2(value);
    if (problem !== void 0) return refuse(problem);
    return typeof value === "function" ? value : { ...value };
  });
}
var headers = headersRule(headersProblem);

// src/options/environment-logger.ts
var words2 = ["debug", "info", "warn", "error"];
function writing(level) {
  return (message, record) => {
    const at = (/* @__PURE__ */ new Date()).toISOString();
    console.error(`${at} installment-payments ${level}: ${message} ${JSON.stringify(record)}`);
  };
}
var standardError = {
  debug: writing("debug"),
  info: writing("info"),
  warn: writing("warn"),
  error: writing("error")
};
function loggingWith(given) {
  const written = given.logger === void 0 ? fromEnvironment("INSTALLMENT_LOG") : void 0;
  if (written === void 0) return given;
  const level = words2.find((word3) => word3 === written.toLowerCase());
  if (!level) console.error(`INSTALLMENT_LOG must be one of ${words2.join(", ")}: nothing is logged`);
  return level ? { ...given, logger: standardError, logLevel: given.logLevel ?? level } : given;
}

// src/options/secret-key.ts
import * as z12 from "zod/mini";

// src/errors/foreign-errors.ts
var shapes = {
  name: /^[A-Z][A-Za-z]{0,40}(?:Error|Exception)$/,
  code: /^(?:[A-Z][A-Z0-9_/]{0,60}|(?:[A-Z][a-z]{1,20}){2,4})$/,
  syscall: /^[a-z]{1,20}$/i
};
function word2(error2, key2) {
  const value = readProperty(error2, key2);
  return typeof value === "string" && shapes[key2].test(value) ? value : void 0;
}
function wordsOf(error2) {
  return { name: word2(error2, "name") ?? "Error", code: word2(error2, "code"), syscall: word2(error2, "syscall") };
}
function errorChain(error2) {
  const inner = error2.cause ?? error2.errors?.[0];
  return inner ? [error2, ...errorChain(inner)] : [error2];
}
function safeWords(error2) {
  const words3 = errorChain(rebuildError(error2)).map(wordsOf);
  return words3.findLast((link) => link.code !== void 0) ?? wordsOf(error2);
}
function describe({ name, code, syscall }) {
  return `${code ?? name}${syscall ? ` (${syscall})` : ""}`;
}
function shownStatus(resultStatus) {
  return /^[A-Za-z][A-Za-z_-]{0,59}$/.test(resultStatus) ? resultStatus : void 0;
}
var mostErrors = 20;
var longestMessage = 500;
var kept = ["code", "syscall", "address", "port"];
function textAt(error2, key2) {
  const value = readProperty(error2, key2);
  return typeof value === "string" ? value : void 0;
}
function rebuildError(error2, budget = { left: mostErrors }) {
  budget.left -= 1;
  const text2 = typeof error2 === "string" ? error2 : textAt(error2, "message");
  const message = text2 ? text2.slice(0, longestMessage) : describe(wordsOf(error2));
  const rebuild = (inner) => budget.left > 0 ? [rebuildError(inner, budget)] : [];
  const cause = readProperty(error2, "cause");
  const [rebuiltCause] = typeof cause === "object" && cause !== null && cause !== error2 ? rebuild(cause) : [];
  const options = rebuiltCause && { cause: rebuiltCause };
  const errors = readProperty(error2, "errors");
  const few = () => Array.isArray(errors) ? Array.from(errors.slice(0, mostErrors)) : [];
  const branches = (valueOf(few) ?? []).flatMap(rebuild);
  const rebuilt = branches.length > 0 ? new AggregateError(branches, message, options) : new Error(message, options);
  const name = textAt(error2, "name") ?? "Error";
  const hidden = { enumerable: false, configurable: true, writable: true };
  Object.defineProperty(rebuilt, "name", { value: name, ...hidden });
  Object.defineProperty(rebuilt, "stack", { value: `${name}: ${message}`, ...hidden });
  for (const key2 of kept) {
    const value = readProperty(error2, key2);
    if (typeof value === "string" || typeof value === "number") Object.assign(rebuilt, { [key2]: value });
  }
  return rebuilt;
}

// src/http/classify-failure.ts
var neverConnected = /* @__PURE__ */ new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EAI_FAIL",
  "EAI_NODATA",
  "EAI_NONAME",
  "UND_ERR_CONNECT_TIMEOUT",
  "ConnectionRefused"
  // Bun
]);
var beforeConnection = /* @__PURE__ */ new Set(["connect", "getaddrinfo", "queryA", "queryAaaa"]);
var badCertificate = /* @__PURE__ */ new Set([
  "CERT_HAS_EXPIRED",
  "CERT_NOT_YET_VALID",
  "CERT_REVOKED",
  "CERT_REJECTED",
  "CERT_UNTRUSTED",
  "CERT_SIGNATURE_FAILURE",
  "CERT_CHAIN_TOO_LONG",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UNABLE_TO_DECRYPT_CERT_SIGNATURE",
  "UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY",
  "ERROR_IN_CERT_NOT_BEFORE_FIELD",
  "ERROR_IN_CERT_NOT_AFTER_FIELD",
  "INVALID_CA",
  "INVALID_PURPOSE",
  "PATH_LENGTH_EXCEEDED",
  "HOSTNAME_MISMATCH",
  "ERR_TLS_CERT_ALTNAME_INVALID"
]);
var noCommonVersion = /* @__PURE__ */ new Set([
  "ERR_SSL_UNSUPPORTED_PROTOCOL",
  "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION",
  "ERR_SSL_NO_PROTOCOLS_AVAILABLE"
]);
var tlsError = /^(?:ERR_SSL_|ERR_TLS_|EPROTO$)/;
var isProxyRefusal = (error2, code) => code === "ERR_PROXY_TUNNEL" && numberAt(error2, "statusCode") !== void 0;
function cameBeforeConnection(error2) {
  if (error2.errors) return error2.errors.every(cameBeforeConnection);
  const { code, syscall } = wordsOf(error2);
  return neverConnected.has(code) || beforeConnection.has(syscall);
}
function outcomeAt(phase) {
  return phase === "connecting" ? "not_sent" : "unknown";
}
function failureOf(error2, phase) {
  const budget = { left: mostErrors };
  const cause = rebuildError(error2, budget);
  const words3 = safeWords(cause);
  const code = words3.code ?? words3.name;
  const failure = { code, summary: describe(words3), cause };
  if (phase !== void 0) {
    const isPermanent = badCertificate.has(code) || tlsError.test(code) || isProxyRefusal(error2, code);
    return { outcome: outcomeAt(phase), transient: phase !== "connecting" || !isPermanent, ...failure };
  }
  if (badCertificate.has(code) || noCommonVersion.has(code)) {
    return { outcome: "not_sent", transient: false, ...failure };
  }
  const chain = errorChain(cause);
  const decisive = chain.find(({ errors }) => errors) ?? chain.at(-1);
  const isProven = budget.left > 0 && decisive !== void 0 && cameBeforeConnection(decisive);
  return { outcome: isProven ? "not_sent" : "unknown", transient: true, ...failure };
}

// src/http/attempt-result.ts
var progress = {
  connecting: ["while connecting", ": still connecting to "],
  sending: ["while sending the request", ": still sending the request"],
  waiting: ["while waiting for the response", ": the request was sent, and no response began"],
  receiving: ["while receiving the response", ": the response began and did not end"],
  complete: ["after the response", ""]
};
function address({ protocol, hostname, port }) {
  return `${hostname}:${port || (protocol === "https:" ? "443" : "80")}`;
}
function connectionFailed({ outcome, transient, code, ...facts }, phase, url) {
  const lost = phase ? `connection lost ${progress[phase][0]}` : "connection failed";
  const problem = outcome === "not_sent" ? `could not connect to ${address(url)}` : lost;
  return { code: "CONNECTION", outcome, transient, problem: `${problem} (${code})`, facts };
}
function timedOut(limitMs, phase, url) {
  const late = phase ? progress[phase][1] : "";
  const to = phase === "connecting" ? address(url) : "";
  return {
    code: "TIMEOUT",
    outcome: outcomeAt(phase),
    transient: true,
    problem: `no response within ${Math.round(limitMs)} ms${late}${to}`,
    facts: {}
  };
}
function outOfTime(totalTimeoutMs) {
  return {
    code: "TIMEOUT",
    outcome: "not_sent",
    transient: true,
    problem: `timed out: nothing was sent within the total limit of ${totalTimeoutMs} ms`,
    facts: {}
  };
}
function tooLate(clock) {
  return {
    code: "TIMEOUT",
    outcome: "not_sent",
    transient: false,
    problem: `sendBefore has passed by the ${clock} clock, and no attempt begins after it`,
    facts: { summary: `sendBefore has passed by the ${clock} clock` }
  };
}
function abortedBy(signal, outcome) {
  return {
    code: "ABORTED",
    outcome,
    transient: true,
    problem: "aborted by the signal of the caller",
    facts: { summary: "aborted by the caller", cause: signal?.reason }
  };
}
var UnusableResult = class extends TypeError {
  constructor(hook, problem) {
    super(`the result of the ${hook} function ${problem}`);
  }
};
function hookFailed(hook, cause, soFar) {
  const isUnusable = cause instanceof UnusableResult;
  return {
    code: "HOOK",
    outcome: "not_sent",
    transient: !isUnusable || soFar !== "not_sent",
    problem: isUnusable ? cause.message : `${hook} rejected; see the cause`,
    facts: { cause }
  };
}
function internalFailure(error2, outcome) {
  const problem = `internal error of the client (${describe(safeWords(error2))})`;
  return { code: "CONNECTION", outcome, transient: false, problem, facts: { cause: rebuildError(error2) } };
}

// src/options/secret-key.ts
function secretKeyText(message) {
  return z12.string(message).check(
    z12.refine((value) => value !== "", "must not be empty"),
    z12.refine(
      (value) => value.trim() === value,
      "must not begin or end with white space, such as a line break that was copied with it"
    ),
    z12.refine((value) => value.isWellFormed(), "must be well-formed Unicode")
  );
}
var returnedKey = secretKeyText("must be a string");
function parseSecretKey(returned) {
  const parsed = returnedKey.safeParse(returned);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => issue.message).join("; ");
  throw new UnusableResult("secretKey", problems);
}

// src/protocol/wire-switches.ts
import * as z13 from "zod/mini";
var offsetRule = `must be an offset from UTC, such as ${vietnamOffset}`;
var offsetMinutes = converted(
  z13.string(offsetRule),
  (value, refuse) => parseOffset(value) ?? refuse(offsetRule)
);
var wireSwitchesSchema = z13.prefault(
  z13.strictObject(
    {
      signatureEncoding: z13._default(oneOf(["hex", "base64"]), "hex"),
      requestTimeOffset: z13.prefault(offsetMinutes, vietnamOffset),
      absentFields: z13._default(oneOf(["empty", "omit"]), "empty")
    },
    "must be an object"
  ),
  {}
);

// src/options/client-options.ts
var fixedOptions = ["baseUrl", "allowInsecureHttp", "agent", "fetch", "wire"];
var variables = {
  baseUrl: "INSTALLMENT_BASE_URL",
  clientId: "INSTALLMENT_CLIENT_ID",
  secretKey: "INSTALLMENT_SECRET_KEY",
  merchantId: "INSTALLMENT_MERCHANT_ID",
  storeId: "INSTALLMENT_STORE_ID",
  platformId: "INSTALLMENT_PLATFORM_ID"
};
function requiredOr(variable, rule) {
  const { error: error2 } = expected(rule);
  return {
    error: (issue) => issue.input === void 0 ? missingFor(variable) : error2(issue)
  };
}
var clientRules = z14.strictObject({
  ...commonRules,
  baseUrl: baseUrlFrom(variables.baseUrl),
  clientId: z14.string(requiredOr(variables.clientId, "must be a string")).check(
    z14.refine(
      isExactHeaderValue,
      "must be a string of printable Latin-1 characters without white space at either end"
    )
  ),
  secretKey: z14.union(
    [secretKeyText("must be a string"), aFunction()],
    requiredOr(variables.secretKey, "must be a string, or a function that returns one")
  ),
  merchantId: z14.optional(identifier),
  storeId: z14.optional(identifier),
  platformId: z14.optional(identifier),
  headers: z14._default(headers, {}),
  wire: wireSwitchesSchema
}).check(...transportRules);
function resolveClientOptions(options) {
  return loggingWith(checkWithEnvironment(clientRules, options, variables));
}
function changedClientOptions({ wire, ...options }, changes) {
  const replaced = present(givenOptions(changes));
  const fixed = fixedOptions.find((name) => name in replaced);
  if (fixed) {
    throw new ConfigurationError(fixed, "cannot be changed by withOptions: make another InstallmentClient");
  }
  return { ...checkOptions(clientRules, { ...options, ...replaced }), wire };
}

// src/http/fetch-transport.ts
import { isUint8Array as isUint8Array2 } from "node:util/types";

// src/http/transport.ts
function headerOf({ headers: headers2 }, name) {
  let joined;
  for (let i = 0; i < headers2.length; i += 2) {
    if (headers2[i]?.toLowerCase() !== name) continue;
    joined = joined === void 0 ? headers2[i + 1] : `${joined}, ${headers2[i + 1] ?? ""}`;
  }
  return joined;
}
var mostHeaders = 50;
var longestValue = 1024;
function readableHeaders(response) {
  const all = response.headers.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  const names = [...new Set(all)].slice(0, mostHeaders);
  const valueOf2 = (name) => headerOf(response, name)?.slice(0, longestValue) ?? "";
  return Object.freeze(Object.fromEntries(names.map((name) => [name, valueOf2(name)])));
}
var maxResponseBytes = 1024 * 1024;
var piecesAtATime = 1024;
var BodyBuffer = class {
  #pieces = [];
  #size = 0;
  /** Takes a piece; returns false once the limit is exceeded. */
  add(piece) {
    this.#pieces.push(piece);
    this.#size += piece.length;
    if (this.#pieces.length === piecesAtATime) this.#pieces = [Buffer.concat(this.#pieces)];
    return !this.isTooLarge;
  }
  get size() {
    return this.#size;
  }
  get isTooLarge() {
    return this.#size > maxResponseBytes;
  }
  bytes() {
    const [first] = this.#pieces;
    return this.#pieces.length === 1 && first ? first : Buffer.concat(this.#pieces);
  }
};
function provesChunks(head, end2) {
  return end2 === "framing" || !/(?:^|[\s,])close(?:$|[\s,])/i.test(headerOf(head, "connection") ?? "");
}
function bodyStateOf(head, body, end2) {
  if (body.isTooLarge) return "too_large";
  if (end2 === void 0) return "cut";
  if (headerOf(head, "content-encoding") !== void 0) return "ended";
  const isFramed = [204, 304].includes(head.httpStatus) || headerOf(head, "content-length") === String(body.size) || headerOf(head, "transfer-encoding")?.trim().toLowerCase() === "chunked" && provesChunks(head, end2);
  return isFramed ? "whole" : "ended";
}
function responseOf(head, body, end2) {
  return { ...head, body: body.bytes(), bodyState: bodyStateOf(head, body, end2) };
}
var redirects = /* @__PURE__ */ new Set([301, 302, 303, 307, 308]);
function isRedirectStatus(httpStatus) {
  return redirects.has(httpStatus);
}

// src/http/fetch-transport.ts
function fetchTransport(fetch2) {
  return (request, { mayBegin, onStop }) => new Promise((resolve) => {
    const attempt = new FetchAttempt(request, mayBegin, resolve);
    onStop(() => attempt.stop());
    void attempt.send(fetch2);
  });
}
var progressBytes = 64 * 1024;
var pieceBytes = 512 * 1024;
function piecesOf(body) {
  if (typeof body === "object" && body !== null && "getReader" in body) {
    const reader = body.getReader();
    return { next: () => reader.read(), return: () => reader.cancel() };
  }
  return (async function* () {
    yield* body ?? [];
  })();
}
function headOf({ status, headers: headers2, type, redirected: redirected2 }) {
  const received = valueOf(() => [...headers2].flat().map(String));
  if (typeof status !== "number" || !(received ?? hasMethods(headers2, ["get"])))
    throw new TypeError("fetch returned something other than a Response");
  return {
    httpStatus: status,
    headers: received ?? [],
    isRedirect: isRedirectStatus(status) || type === "opaqueredirect" || redirected2
  };
}
var FetchAttempt = class {
  #request;
  #mayBegin;
  #settle;
  #controller = new AbortController();
  #isOver = false;
  #isStopped = false;
  #phase = "connecting";
  /** Whether any byte of the body was taken. Without a body nothing tells whether the request has left. */
  #wasTaken;
  #head;
  #pieces;
  #body = new BodyBuffer();
  constructor(request, mayBegin, settle) {
    this.#request = request;
    this.#mayBegin = mayBegin;
    this.#settle = settle;
    this.#wasTaken = request.body === void 0;
  }
  async send(fetch2) {
    try {
      await this.#exchange(fetch2);
    } catch (error2) {
      const failure = failureOf(error2, this.#phase);
      this.#end(this.#wasTaken ? { ...failure, outcome: "unknown" } : failure);
    }
  }
  stop() {
    this.#isStopped = true;
    this.#end();
  }
  /** Nothing is sent after a stop, nor begun after the limit, which a blocked event loop notices late. */
  #maySend(hasBegun) {
    if (!hasBegun && !this.#isOver && !this.#mayBegin()) {
      if (!this.#head) this.#phase = "connecting";
      this.stop();
    }
    return !this.#isStopped;
  }
  /**
   * The frozen bytes as a stream, which a runtime cannot send again: Node's fetch repeats a body of bytes under 421, Deno's
   * on a dead connection. It fails once nothing may be sent any more.
   */
  #upload(bytes) {
    const { onProgress } = this.#request;
    const size = onProgress ? progressBytes : pieceBytes;
    let sent2 = 0;
    return new ReadableStream(
      {
        // Node's fetch takes a piece before it connects. An empty one keeps a closed port certain.
        start: (controller) => controller.enqueue(new Uint8Array()),
        pull: (controller) => {
          if (!this.#maySend(this.#wasTaken)) {
            controller.error(new Error("the attempt has ended"));
            return;
          }
          this.#wasTaken = true;
          if (sent2 > 0) onProgress?.(sent2, bytes.length);
          const piece = bytes.subarray(sent2, sent2 + size);
          sent2 += piece.length;
          if (piece.length > 0) controller.enqueue(piece);
          else controller.close();
        }
      },
      { highWaterMark: 0 }
    );
  }
  async #exchange(fetch2) {
    const { method, url, headers: headers2, body } = this.#request;
    await nextTurn();
    if (!this.#maySend(false)) return;
    this.#phase = void 0;
    const response = await fetch2(url.href, {
      method,
      redirect: "manual",
      signal: this.#controller.signal,
      // With its length given, a stream is not sent in chunked encoding, which not every server takes.
      headers: { ...headers2, ...body && { "Content-Length": String(body.length) } },
      ...body && { body: this.#upload(body), duplex: "half" }
    });
    const head = headOf(response);
    this.#pieces = piecesOf(response.body);
    if (this.#hasEnded()) {
      this.#release();
      return;
    }
    this.#head = head;
    this.#phase = "receiving";
    for (; ; ) {
      const piece = await this.#pieces.next();
      if (this.#hasEnded()) return;
      if (piece.done) break;
      const chunk = piece.value;
      if (!isUint8Array2(chunk)) throw new TypeError("the body of the Response is not made of bytes");
      if (!this.#body.add(chunk)) {
        this.#end();
        return;
      }
    }
    this.#phase = "complete";
    this.#end();
  }
  /** A method, because the compiler does not expect the field to change during a wait. */
  #hasEnded() {
    return this.#isOver;
  }
  #end(failure) {
    if (this.#isOver) return;
    this.#isOver = true;
    const isComplete = this.#phase === "complete";
    const response = this.#head && responseOf(this.#head, this.#body, isComplete ? "fetch" : void 0);
    this.#settle({ phase: this.#phase, failure, response });
    if (!isComplete) this.#release();
  }
  /** Stops the request in the background. */
  #release() {
    void ignoreErrors(() => this.#controller.abort());
    void ignoreErrors(() => this.#pieces?.return());
  }
};

// src/http/node-modules.ts
import { createRequire as requireFrom } from "node:module";
var loaded;
function nodeModules() {
  if (loaded) return loaded;
  const load = requireFrom("/");
  loaded = {
    http: load("node:http"),
    https: load("node:https"),
    net: load("node:net"),
    tls: load("node:tls")
  };
  return loaded;
}

// src/http/agents.ts
var idleKey = /* @__PURE__ */ Symbol.for("installment-payments.idle");
var spareMs = 1e3;
var withoutHintMs = 55e3;
function becameIdle(socket, { rawHeaders: headers2 }) {
  const seconds = /(?:^|[\s,])timeout=(\d+)/i.exec(headerOf({ headers: headers2 }, "keep-alive") ?? "")?.[1];
  const hintMs = seconds === void 0 ? void 0 : Math.min(Number(seconds) * 1e3, longestTimerMs);
  const isHintOfPeer = /(?:^|[\s,])keep-alive(?:$|[\s,])/i.test(headerOf({ headers: headers2 }, "connection") ?? "");
  socket[idleKey] = { sinceMs: monotonicMs(), hintMs, isHintOfPeer, bytesRead: socket.bytesRead };
}
var readsIdle = process.versions["deno"] === void 0;
function keptMs(idle, use) {
  if (!readsIdle) return 0;
  if (use === "promised" && !idle?.isHintOfPeer) return 0;
  if (idle?.hintMs !== void 0) return idle.hintMs - spareMs;
  return use === "any" ? withoutHintMs : 0;
}
function hasReceived(socket) {
  const idle = socket?.[idleKey];
  return idle !== void 0 && socket?.bytesRead !== idle.bytesRead;
}
function isStale(socket) {
  const idle = socket[idleKey];
  const isTooOld = idle !== void 0 && monotonicMs() - idle.sinceMs >= keptMs(idle, "any");
  return isTooOld || hasReceived(socket) || !socket.writable;
}
function keeping(agent, use) {
  const keepSocketAlive = (socket) => {
    const ms = keptMs(socket[idleKey], use);
    if (ms <= 0) return false;
    socket.setKeepAlive(true, 1e3);
    socket.unref();
    socket.setTimeout(ms);
    return true;
  };
  return Object.assign(agent, { keepSocketAlive });
}
var agentsKey = /* @__PURE__ */ Symbol.for("installment-payments.agents.2");
function createAgents() {
  const { http, https } = nodeModules();
  const pools = (create) => ({
    any: keeping(create(), "any"),
    promised: keeping(create(), "promised")
  });
  return {
    http: pools(() => new http.Agent({ keepAlive: true })),
    https: pools(() => new https.Agent({ keepAlive: true }))
  };
}
function agentFor({ protocol }, use) {
  const holder = globalThis;
  const agents = holder[agentsKey] ??= createAgents();
  return agents[protocol === "https:" ? "https" : "http"][use];
}

// src/http/connecting.ts
function isGenuine(socket) {
  const { net, tls } = nodeModules();
  if (socket.constructor === net.Socket || socket.constructor === tls.TLSSocket) return true;
  return socket instanceof net.Socket && Boolean(Reflect.get(socket, "_handle"));
}
function isTls(socket) {
  return socket instanceof nodeModules().tls.TLSSocket;
}
function isConnecting(socket) {
  return socket.connecting || Reflect.get(socket, "secureConnecting") === true;
}
function afterReading(work) {
  setImmediate(() => setImmediate(work));
}
function whenConnected(socket, work) {
  const startedMs = monotonicMs();
  const connected = () => {
    if (isTls(socket)) afterCertificate(socket, monotonicMs() - startedMs, work);
    else work();
  };
  if (isConnecting(socket)) socket.once(isTls(socket) ? "secureConnect" : "connect", connected);
  else connected();
}
var shortestJudgementMs = 100;
function afterCertificate(socket, connectingMs, work) {
  const algorithms = socket.getSharedSigalgs?.() ?? [];
  if (socket.getProtocol() !== "TLSv1.3" || algorithms.length === 0) {
    work();
    return;
  }
  const accepted3 = () => {
    clearTimeout(timer);
    socket.off("session", accepted3);
    setImmediate(work);
  };
  const timer = setTimeout(accepted3, Math.max(connectingMs, shortestJudgementMs)).unref();
  socket.on("session", accepted3);
}

// src/http/decode-body.ts
import * as zlib from "node:zlib";
var atMost = { maxOutputLength: maxResponseBytes };
var partly = { ...atMost, finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH };
var isBare = (bytes) => ((bytes[0] ?? 0) & 15) !== 8;
var decoders = {
  gzip: zlib.gunzipSync,
  "x-gzip": zlib.gunzipSync,
  deflate: (bytes, options) => (isBare(bytes) ? zlib.inflateRawSync : zlib.inflateSync)(bytes, options),
  br: zlib.brotliDecompressSync
};
function decodeOnce(bytes, decoder, options = atMost) {
  const isPartial = options === partly;
  try {
    return { body: decoder(bytes, options), state: isPartial ? "cut" : "whole" };
  } catch (error2) {
    const isTooLarge = error2 instanceof RangeError;
    if (!isTooLarge && !isPartial) return decodeOnce(bytes, decoder, partly);
    return { body: new Uint8Array(), state: isTooLarge ? "too_large" : "cut" };
  }
}
var mostEncodings = 5;
function decodeBody(bytes, contentEncoding) {
  const names = contentEncoding.toLowerCase().split(",").map((name) => name.trim());
  let decoded = { body: bytes, state: "whole" };
  if (names.length > mostEncodings) return { body: new Uint8Array(), state: "cut" };
  for (const name of names.reverse()) {
    if (name === "" || name === "identity") continue;
    const decoder = Object.hasOwn(decoders, name) ? decoders[name] : void 0;
    if (!decoder || decoded.body.length === 0) return { body: new Uint8Array(), state: "cut" };
    const { body, state } = decodeOnce(decoded.body, decoder);
    decoded = { body, state: decoded.state === "whole" ? state : decoded.state };
    if (state === "too_large") return decoded;
  }
  return decoded;
}

// src/http/node-transport.ts
function nodeTransport(agent) {
  return async (wire, options) => {
    for (; ; ) {
      const ended = await new Promise((resolve) => {
        new NodeAttempt(wire, options, resolve).send(agent);
      });
      if (ended !== "stale") return ended;
    }
  };
}
var progressBytes2 = 64 * 1024;
function sendInPieces(request, body, onProgress) {
  const sendFrom = (start3) => {
    const end2 = Math.min(start3 + progressBytes2, body.length);
    const sent2 = () => {
      if (request.destroyed) return;
      onProgress(end2, body.length);
      if (end2 < body.length) sendFrom(end2);
    };
    const piece = body.subarray(start3, end2);
    if (end2 === body.length) request.end(piece, sent2);
    else request.write(piece, sent2);
  };
  sendFrom(0);
}
function refusedBefore(reason) {
  return { outcome: "not_sent", transient: false, code: reason, summary: reason };
}
var NodeAttempt = class {
  #wire;
  #options;
  #settle;
  #isOver = false;
  #phase = "connecting";
  #request;
  #socket;
  #response;
  #body = new BodyBuffer();
  constructor(wire, options, settle) {
    this.#wire = wire;
    this.#options = options;
    this.#settle = settle;
  }
  get #isSecure() {
    return this.#wire.url.protocol === "https:";
  }
  send(agent) {
    const { method, url, headers: headers2, body } = this.#wire;
    this.#options.onStop(() => this.#end());
    if (this.#isOver) return;
    try {
      const { http, https } = nodeModules();
      const request = (this.#isSecure ? https : http).request(url, {
        method,
        agent: agent ?? agentFor(url, this.#options.idleConnections),
        headers: body ? { ...headers2, "Content-Length": body.length } : headers2
      });
      this.#request = request;
      request.on("socket", (socket) => this.#onSocket(socket));
      request.on("finish", () => this.#advance("sending", "waiting"));
      request.on("response", (response) => this.#onResponse(response));
      request.on("continue", () => this.#fail({ code: "UNEXPECTED_100" }));
      request.on("upgrade", (_response, socket) => {
        socket.destroy();
        this.#fail({ code: "UNEXPECTED_101" });
      });
      request.on("error", (error2) => this.#fail(error2));
      request.on("close", () => this.#response ?? this.#fail({ code: "ECONNRESET" }));
    } catch (error2) {
      const failure = failureOf(error2, "connecting");
      const isWrongAgent = failure.code === "ERR_INVALID_PROTOCOL";
      const code = isWrongAgent ? `the agent is not one for ${url.protocol.slice(0, -1)}` : failure.code;
      this.#end({ ...failure, transient: !failure.code.startsWith("ERR_"), code });
    }
  }
  #advance(from, to) {
    if (this.#phase === from) this.#phase = to;
  }
  #onSocket(socket) {
    if (this.#socket) {
      this.#fail({ code: "ECONNRESET" });
      return;
    }
    this.#socket = socket;
    if (!isGenuine(socket)) this.#write(void 0);
    else if (this.#isReused) {
      afterReading(() => {
        if (isStale(socket)) this.#fail({ code: "ECONNRESET" });
        else this.#write("sending");
      });
    } else if (!socket.writable) return;
    else if (this.#isSecure && !isTls(socket)) {
      this.#end(refusedBefore("the connection of the agent has no TLS"));
    } else whenConnected(socket, () => this.#write(isConnecting(socket) ? void 0 : "sending"));
  }
  get #isReused() {
    return this.#request?.reusedSocket === true;
  }
  /** Writes the request, of which nothing was sent before. */
  #write(phase) {
    const { body, onProgress } = this.#wire;
    if (this.#isOver) return;
    if (!this.#options.mayBegin()) {
      this.#end();
      return;
    }
    this.#phase = phase;
    if (this.#request && body && onProgress) sendInPieces(this.#request, body, onProgress);
    else this.#request?.end(body);
  }
  #onResponse(response) {
    if (this.#phase === "connecting") {
      this.#end(refusedBefore(`the proxy responded with HTTP ${response.statusCode ?? 0}`));
      return;
    }
    this.#response = response;
    this.#phase = "receiving";
    response.on("data", (chunk) => {
      if (!this.#body.add(chunk)) this.#end();
    });
    response.on("end", () => {
      if (!response.complete) return;
      if (this.#socket) becameIdle(this.#socket, response);
      this.#advance("receiving", "complete");
      this.#end();
    });
    response.on("error", (error2) => this.#fail(error2));
    response.on("close", () => this.#fail({ code: "ECONNRESET" }));
  }
  #fail(error2) {
    if (this.#isOver) return;
    const failure = failureOf(error2, this.#phase);
    const wasIdleConnectionLost = this.#isReused && !this.#response && !hasReceived(this.#socket);
    this.#end(wasIdleConnectionLost ? { ...failure, wasIdleConnectionLost } : failure);
  }
  #end(failure) {
    if (this.#isOver) return;
    this.#isOver = true;
    const wasStale = failure !== void 0 && this.#phase === "connecting" && this.#isReused;
    const response = this.#response && this.#wireResponse(this.#response);
    this.#settle(wasStale ? "stale" : { phase: this.#phase, response, failure });
    if (this.#phase !== "complete" || !this.#request?.writableFinished) this.#request?.destroy();
  }
  #wireResponse(response) {
    const { statusCode = 0, rawHeaders } = response;
    const head = { httpStatus: statusCode, headers: rawHeaders, isRedirect: isRedirectStatus(statusCode) };
    const received = responseOf(head, this.#body, this.#phase === "complete" ? "framing" : void 0);
    const encoding = headerOf(head, "content-encoding");
    if (encoding === void 0 || this.#body.isTooLarge) return received;
    const { body, state } = decodeBody(received.body, encoding);
    return { ...received, body, bodyState: state === "whole" ? received.bodyState : state };
  }
};

// src/http/shared-resources.ts
function sharedFor(options, runtime) {
  const { baseUrl } = options;
  const shared = sharedWith({ runtime, transport: transportOf(options) }, options);
  if (isInsecure(baseUrl)) {
    const warning = "allowInsecureHttp: requests are not encrypted, and anyone on the way can change them";
    shared.observer.log("warn", warning, { host: new URL(baseUrl).host });
  }
  return shared;
}
function sharedWith({ runtime, transport }, options) {
  const { now: now2 } = options;
  const observer = new Observer(options);
  return { runtime: now2 ? { ...runtime, now: checked(now2) } : runtime, observer, transport };
}
function transportOf({ fetch: fetch2, agent }) {
  if (fetch2) return fetchTransport(fetch2);
  if (!isWorkers()) return nodeTransport(agent);
  if (agent) throw new ConfigurationError("agent", "cannot be used under Cloudflare Workers: leave it out");
  return fetchTransport(workersFetch);
}
function checked(now2) {
  return () => {
    const instant = now2();
    if (isWireInstant(instant)) return new Date(instant);
    throw new UnusableResult("now", "is not a valid Date, such as new Date()");
  };
}

// src/operations/initiate-payment.ts
import { createHash as createHash2 } from "node:crypto";

// src/options/call-options.ts
import { isDate as isDate3 } from "node:util/types";
import * as z15 from "zod/mini";
var isValidDate = (value) => isDate3(value) && !Number.isNaN(value.getTime());
var callOptionRules = z15.partial(
  z15.strictObject(
    {
      signal: z15.custom(
        // By its methods: runtimes and polyfills have classes of their own.
        (value) => hasMethods(value, ["addEventListener", "removeEventListener"]) && typeof readProperty(value, "aborted") === "boolean",
        "must be an AbortSignal, such as AbortSignal.timeout(5000)"
      ),
      ...limitRules,
      mayHaveBeenSent: trueOrFalse,
      // A copy: the caller may move its own on, as for the next call.
      sendBefore: z15.pipe(
        z15.custom(isValidDate, "must be a valid Date, such as new Date(Date.now() + 60_000)"),
        z15.transform((date) => new Date(date))
      )
    },
    "must be an object of options, such as { maxRetries: 1 }"
  )
);
var merchantCallRules = z15.extend(callOptionRules, { headers: z15.optional(headers) });
var idempotencyKey = z15.optional(
  z15.string("must be a string").check(
    z15.refine(
      isExactHeaderValue,
      "must be a string of printable Latin-1 characters that is not empty and has no white space at either end"
    )
  )
);
var initiatePaymentOptionRules = z15.extend(merchantCallRules, {
  idempotencyKey,
  additionalFields: z15.optional(additionalPaymentFields)
});
var uploadInvoiceOptionRules = z15.extend(merchantCallRules, {
  onUploadProgress: z15.optional(aFunction()),
  additionalFields: z15.optional(additionalUploadFields)
});
function postOptionRulesWith(headerRules) {
  return z15.extend(callOptionRules, {
    headers: z15.optional(headerRules),
    policy: z15.optional(z15.enum(["once", "idempotent"], "must be 'once' or 'idempotent'")),
    idempotencyKey,
    referenceId: z15.optional(referenceId)
  });
}
var postOptionRules = postOptionRulesWith(headers);

// src/protocol/odd-amount.ts
function oddAmount({
  amount,
  items
}) {
  const sum = items.reduce((total, item) => total + item.totalAmount, 0);
  const isOdd = sum >= 10 * amount.value || amount.value >= 10 * sum;
  if (!isOdd) return void 0;
  const size = sum > amount.value ? "ten times amount.value or more" : "a tenth of amount.value or less";
  return `The items add up to ${size}: all of them are in VND.`;
}

// src/http/response.ts
var undecided4xx = /* @__PURE__ */ new Set([407, 408, 409, 421, 425]);
var transientStatuses = /* @__PURE__ */ new Set([408, 409, 425, 429]);
function verdictOf(httpStatus) {
  const isRefusal2 = httpStatus >= 400 && httpStatus < 500 && !undecided4xx.has(httpStatus);
  return {
    outcome: isRefusal2 ? "rejected" : "unknown",
    transient: transientStatuses.has(httpStatus) || httpStatus >= 500
  };
}
function isSuccessStatus(httpStatus) {
  return httpStatus >= 200 && httpStatus < 300;
}
var unknownForGood = { outcome: "unknown", transient: false };
function unexpectedResponse({ httpStatus, body }, problem, verdict = verdictOf(httpStatus)) {
  const isRefusal2 = verdict.outcome === "rejected" && !verdict.transient;
  const hint = isRefusal2 ? "; bodyText of the error shows who responded" : "";
  return {
    ...verdict,
    code: "UNEXPECTED_RESPONSE",
    problem: `${problem} (HTTP ${httpStatus}${hint})`,
    facts: { summary: problem, body }
  };
}
function withoutResult(response, problem) {
  return unexpectedResponse(response, problem, isUnreadableAnswer(response) ? unknownForGood : void 0);
}
function lostResponse(response, problem = "the response may be cut short") {
  return unexpectedResponse(response, problem, { outcome: "unknown", transient: true });
}
function redirected(response) {
  return unexpectedResponse(response, "the response is a redirect, which is never followed", unknownForGood);
}
var isBinary = (byte) => byte > 0 && byte < 32 && !"	\n\v\f\r\x1B".includes(String.fromCharCode(byte));
function isUnreadableAnswer({ httpStatus, body }) {
  if (httpStatus < 400 || httpStatus >= 500) return false;
  const ascii = Buffer.from(body).toString("latin1").replaceAll("\0", "");
  return ascii.includes("resultStatus") || body.some(isBinary);
}
function parseBody({ body, bodyState }) {
  const isLost = bodyState !== "whole";
  if (bodyState === "too_large")
    return { problem: `the response is larger than ${maxResponseBytes / 2 ** 20} MiB`, isLost };
  if (body.length === 0) return { problem: "the response is empty", isLost };
  const text2 = decodeUtf8(body);
  const json = text2 === void 0 ? void 0 : jsonIn(withoutMark(text2));
  if (json !== void 0) return { json };
  const shown = new TextDecoder().decode(body);
  const isAnswer = !body.includes(0) && /^\s*\{|resultStatus/.test(shown);
  const isCut = isAnswer || bodyState === "cut";
  const notJson = isCut ? "the response is cut short" : "the response is not JSON";
  const problem = text2 === void 0 ? "the response is not valid UTF-8" : notJson;
  return { problem, isLost: isLost || isAnswer };
}
function isCompleteJson({ bodyState }, json) {
  return bodyState === "whole" || typeof json === "object" && json !== null;
}
function isWholeJson(response) {
  const parsed = parseBody(response);
  return "json" in parsed && isRecord(parsed.json);
}
function readJson(response) {
  if (response.isRedirect) return redirected(response);
  const parsed = parseBody(response);
  if ("json" in parsed) return parsed;
  if (parsed.isLost) return lostResponse(response, parsed.problem);
  const failure = withoutResult(response, parsed.problem);
  return isSuccessStatus(response.httpStatus) ? { ...failure, transient: true } : failure;
}

// src/operations/judge-result.ts
function isAnother(received, sent2, mayBeEmpty) {
  if (sent2 === void 0 || received === void 0 || received === null) return false;
  return received !== sent2 && !(received === "" && mayBeEmpty);
}
function judgeResult(response, expected2) {
  const read = readJson(response);
  if (!("json" in read)) return read;
  const { json } = read;
  if (!isRecord(json)) {
    const problem2 = "the response is not a JSON object";
    return response.bodyState === "whole" ? withoutResult(response, problem2) : lostResponse(response, problem2);
  }
  const { resultStatus } = json;
  const mayBeEmpty = resultStatus !== "APPROVED";
  const another = ["referenceId", "merchantId"].find(
    (name) => isAnother(json[name], expected2[name], mayBeEmpty)
  );
  if (another) return unexpectedResponse(response, `the response is for another ${another}`, unknownForGood);
  if (typeof resultStatus !== "string" || resultStatus === "") {
    const isMissing = resultStatus === void 0;
    const problem2 = isMissing ? "the response has no resultStatus" : "resultStatus is not a string, or is empty";
    return withoutResult(response, problem2);
  }
  if (resultStatus !== "APPROVED") return refused(json, resultStatus, expected2.operation);
  const problem = expected2.problemOf?.(json);
  if (problem === void 0) return { outcome: "accepted", value: json, resultStatus };
  const failure = unexpectedResponse(response, problem, unknownForGood);
  return { ...failure, facts: { ...failure.facts, resultStatus } };
}
function refused(body, resultStatus, operation4) {
  const resultMsg = typeof body["resultMsg"] === "string" ? body["resultMsg"] : "";
  const facts = { resultStatus, resultMsg };
  if (!isErrorStatus(resultStatus)) {
    const problem = `the result status (${shownStatus(resultStatus) ?? "not a word"}) is not documented`;
    const summary = "undocumented resultStatus";
    return { ...unknownForGood, code: "UNKNOWN_RESULT", problem, facts: { ...facts, summary } };
  }
  const { outcome, retried, meaning } = errorStatusInfo(operation4, resultStatus);
  return {
    code: resultStatus,
    outcome,
    transient: retried,
    problem: `${resultStatus}. ${meaning}`,
    facts: { ...facts, summary: resultStatus }
  };
}

// src/operations/make-call.ts
function makeCall({ method, path, policy, subject, judge }, sent2, options, client) {
  const {
    attemptTimeoutMs = client.attemptTimeoutMs,
    totalTimeoutMs = client.totalTimeoutMs,
    maxRetries = client.maxRetries,
    repeatUnknown = client.repeatUnknown,
    mayHaveBeenSent = false,
    signal,
    sendBefore
  } = options;
  const url = new URL(`${client.baseUrl}${path}`);
  return {
    ...sent2,
    subject: Object.freeze(subject),
    url,
    target: { method, host: url.host, path: url.pathname },
    judge,
    // Without `repeatUnknown` nothing is sent again that may have been acted on.
    policy: repeatUnknown ? policy : "once",
    mayHaveBeenSent,
    limits: { attemptTimeoutMs, totalTimeoutMs, maxRetries, signal, sendBefore }
  };
}
function withCallHeaders(headers2, ofCall) {
  if (!ofCall) return headers2;
  const replaced = new Set(Object.keys(ofCall).map((name) => name.toLowerCase()));
  const kept2 = Object.entries(headers2).filter(([name]) => !replaced.has(name.toLowerCase()));
  return { ...Object.fromEntries(kept2), ...ofCall };
}
function makeSignedCall({ contentType, body, onProgress, signature, ...parts }, options, merchant) {
  const { clientId, wire } = merchant;
  const { idempotencyKey: idempotencyKey2 } = parts.subject;
  const signed = typeof signature === "string" ? signature : void 0;
  const headers2 = writeHeaders(
    { clientId, userAgent, contentType, signature: signed, idempotencyKey: idempotencyKey2 },
    withCallHeaders(merchant.headers, options.headers)
  );
  const withBody = (bytes) => ({ headers: headers2, body: bytes, onProgress });
  const frozen = typeof body === "function" ? async (limits) => withBody(await body(limits)) : withBody(body);
  const { requestTimeOffset } = wire;
  return makeCall(parts, { frozen, signature, requestTimeOffset }, options, merchant);
}

// src/operations/initiate-payment.ts
function deriveIdempotencyKey(clientId, body) {
  return createHash2("sha256").update(`${clientId}\0`).update(body).digest("hex");
}
var operation = "initiatePayment";
function preparePayment(request, options, merchant) {
  const { clientId, merchantId, storeId, platformId, sign, wire, shared } = merchant;
  const defaults = { merchantId, storeId, platformId };
  const [checked2, callOptions] = allOrThrow(
    subjectOf(operation, request),
    options,
    parseRequest(paymentRequestSchema, request, defaults, additionalFieldsHint),
    parseCallOptions(initiatePaymentOptionRules, options),
    requireFields(request, defaults)
  );
  const { additionalFields } = callOptions;
  const body = Buffer.from(JSON.stringify(withAdditionalFields(checked2, additionalFields)));
  const { referenceId: referenceId2 } = checked2;
  const { idempotencyKey: idempotencyKey2 = deriveIdempotencyKey(clientId, body) } = callOptions;
  const odd = oddAmount(checked2);
  if (odd !== void 0) shared.observer.log("debug", odd, { operation, referenceId: referenceId2 });
  return makeSignedCall(
    {
      ...endpoints[operation],
      subject: { operation, referenceId: referenceId2, idempotencyKey: idempotencyKey2 },
      body,
      signature: sign(body, wire.signatureEncoding),
      judge: (response) => judgeResult(response, {
        operation,
        referenceId: referenceId2,
        merchantId: checked2.merchantId,
        problemOf: paymentUrlProblem
      })
    },
    callOptions,
    merchant
  );
}

// src/operations/post.ts
var pathRule = "must be a path below the base URL in the form that is sent, such as /v2/payments/status";
function parsePath(path, baseUrl) {
  if (typeof path !== "string") return refusedAt(["path"], "must be a string, such as /v2/payments/status");
  const written = `${baseUrl}${path}`;
  const isExact = path.startsWith("/") && toUrl(written)?.href === written;
  return isExact && !path.includes("#") ? { value: path } : refusedAt(["path"], pathRule);
}
function parseBodyText(body) {
  if (typeof body !== "object" || body === null) {
    return refusedAt(["body"], 'must be an object or an array, such as { referenceId: "ORDER-1" }');
  }
  const json = jsonTextOf(body);
  return json instanceof JsonProblem ? refusedAt(["body"], json.message) : { value: json };
}
function judgeAnswer(response) {
  const { httpStatus } = response;
  const read = readJson(response);
  if (!("json" in read)) return read;
  const { json: body } = read;
  if (!isCompleteJson(response, body)) return lostResponse(response);
  if (isSuccessStatus(httpStatus)) return { outcome: "accepted", value: { httpStatus, body } };
  const problem = "the response is not a success";
  const resultStatus = readProperty(body, "resultStatus");
  if (typeof resultStatus !== "string") return withoutResult(response, problem);
  const verdict = verdictOf(httpStatus);
  return unexpectedResponse(response, problem, {
    ...verdict,
    outcome: isRefusal(resultStatus) ? verdict.outcome : "unknown"
  });
}
var operation2 = "post";
function parsePost(path, body, options, baseUrl, rules2 = postOptionRules) {
  const [sentPath, json, callOptions] = allOrThrow(
    { operation: operation2 },
    options,
    parsePath(path, baseUrl),
    parseBodyText(body),
    parseCallOptions(rules2, options)
  );
  const { policy = "once", idempotencyKey: idempotencyKey2, referenceId: referenceId2 } = callOptions;
  const subject = {
    operation: operation2,
    ...referenceId2 !== void 0 && { referenceId: referenceId2 },
    ...idempotencyKey2 !== void 0 && { idempotencyKey: idempotencyKey2 }
  };
  const parts = {
    subject,
    method: "POST",
    path: sentPath,
    policy,
    contentType: "application/json",
    body: Buffer.from(json),
    judge: judgeAnswer
  };
  return { parts, callOptions };
}
function preparePost(path, body, options, merchant) {
  const { parts, callOptions } = parsePost(path, body, options, merchant.baseUrl);
  const signature = merchant.sign(parts.body, merchant.wire.signatureEncoding);
  return makeSignedCall({ ...parts, signature }, callOptions, merchant);
}

// src/http/call-run.ts
var CallRun = class {
  call;
  shared;
  policy;
  mayHaveBeenSent;
  attempts = [];
  outcome;
  mayHaveActedBefore;
  /** The failure with which the call ends if its time does. */
  lastFailure;
  #started;
  #tell;
  #lastResponse;
  constructor(call, started, shared, tell) {
    this.call = call;
    this.shared = shared;
    this.#tell = tell;
    this.policy = call.policy;
    this.mayHaveBeenSent = call.mayHaveBeenSent;
    this.outcome = call.mayHaveBeenSent ? "unknown" : "not_sent";
    this.mayHaveActedBefore = call.mayHaveBeenSent;
    this.lastFailure = outOfTime(call.limits.totalTimeoutMs);
    this.#started = started;
  }
  /** Records an attempt, and reports it. */
  add(result, { startedAt, durationMs, requestTime: requestTime2, phase, response }) {
    const { outcome } = result;
    const status = outcome === "accepted" ? result.resultStatus : result.facts.resultStatus;
    const resultStatus = status === void 0 ? void 0 : shownStatus(status);
    const attempt = {
      startedAt,
      durationMs,
      requestTime: requestTime2,
      outcome
    };
    if (phase !== void 0) attempt.phase = phase;
    if (response !== void 0) attempt.httpStatus = response.httpStatus;
    if (resultStatus !== void 0) attempt.resultStatus = resultStatus;
    if (outcome !== "accepted") attempt.error = result.facts.summary ?? result.problem;
    Object.freeze(attempt);
    this.attempts.push(attempt);
    this.#lastResponse = response ?? this.#lastResponse;
    this.mayHaveActedBefore = this.outcome === "unknown";
    this.outcome = outcome === "accepted" ? "unknown" : worseOf(this.outcome, outcome);
    const number4 = this.attempts.length;
    const { subject, url, target } = this.call;
    this.shared.observer.attempted(attempt, this.call, number4, response);
    this.#tell?.({
      number: number4,
      attempt,
      ...outcome !== "accepted" && { code: result.code },
      subject,
      origin: url.origin,
      request: target
    });
  }
  get metadata() {
    const { subject, target } = this.call;
    const { httpStatus, headers: headers2 } = this.#lastResponse ?? {};
    const metadata = {
      ...subject,
      request: target,
      ...httpStatus !== void 0 && { httpStatus },
      attempts: Object.freeze([...this.attempts])
    };
    if (headers2) {
      Object.defineProperty(metadata, "responseHeaders", { get: () => readableHeaders({ headers: headers2 }) });
    }
    return Object.freeze(metadata);
  }
  /** Milliseconds left of the whole call, 0 or more. */
  leftMs() {
    const spentMs = this.shared.runtime.monotonicMs() - this.#started.monotonicMs;
    return Math.max(0, this.call.limits.totalTimeoutMs - spentMs);
  }
  /** Milliseconds until `sendBefore`, by the clock that is ahead: a suspended process stops one, a step moves the other. */
  #untilSendBefore() {
    const { sendBefore } = this.call.limits;
    if (!sendBefore) return [Infinity, "wall"];
    const { runtime } = this.shared;
    const { wallMs, monotonicMs: monotonicMs2 } = this.#started;
    const byWall = sendBefore.getTime() - runtime.wallMs();
    const byMonotonic = sendBefore.getTime() - wallMs - (runtime.monotonicMs() - monotonicMs2);
    return byMonotonic < byWall ? [byMonotonic, "monotonic"] : [byWall, "wall"];
  }
  /** Why nothing may be sent any more; undefined before `sendBefore`. */
  lateness() {
    const [ms, clock] = this.#untilSendBefore();
    return ms > 0 ? void 0 : tooLate(clock);
  }
  /** True if an attempt could follow a wait. */
  hasTimeFor(waitMs) {
    return waitMs < this.leftMs() && waitMs < this.#untilSendBefore()[0];
  }
  #aborted() {
    return errorOf(abortedBy(this.call.limits.signal, this.outcome), this);
  }
  /** Throws if no attempt may begin: the caller has aborted the call, or its time is over. */
  throwIfOver() {
    if (this.call.limits.signal?.aborted) throw this.#aborted();
    const failure = this.leftMs() <= 0 ? this.lastFailure : this.lateness();
    if (failure) throw errorOf(failure, this);
  }
  async within(work, toError) {
    const { runtime } = this.shared;
    const result = await bounded(work, { ms: this.leftMs(), signal: this.call.limits.signal, runtime });
    if (result.ended === "done") return result.value;
    if (result.ended === "failed") throw toError(result.error);
    throw result.ended === "timeout" ? errorOf(this.lastFailure, this) : this.#aborted();
  }
  ask(hook, ask) {
    return this.within(
      async () => ask(),
      (error2) => errorOf(hookFailed(hook, error2, this.outcome), this)
    );
  }
};
function timeOf({ now: now2 }, call) {
  try {
    return now2();
  } catch (error2) {
    throw errorOf(hookFailed("now", error2, call.outcome), call);
  }
}

// src/http/diagnostics.ts
import { channel, tracingChannel } from "node:diagnostics_channel";
var calls = tracingChannel("installment-payments:call");
var attempts = channel("installment-payments:attempt");
var { start: start2, end, asyncStart, asyncEnd, error } = calls;
var channels = [start2, end, asyncStart, asyncEnd, error, attempts];
var isHeard = ({ hasSubscribers }) => hasSubscribers;
var key = /* @__PURE__ */ Symbol.for("installment-payments.instrumentation");
var globals = globalThis;
function runWithin(instrument, work) {
  let started;
  const once = () => started ??= { result: work() };
  valueOf(() => instrument?.run(once));
  return once().result;
}
async function trace(message, instrumentation, work) {
  const instrument = valueOf(() => instrumentation?.(message));
  const tell = (about) => {
    const attempt = Object.freeze({ call: message, ...about });
    attempts.publish(attempt);
    valueOf(() => instrument?.attempted(attempt));
  };
  try {
    const result = await start2.runStores(message, () => {
      const running = runWithin(instrument, () => work(tell));
      end.publish(message);
      return running;
    });
    Reflect.set(message, "result", { ...result.$metadata });
    return result;
  } catch (reason) {
    Reflect.set(message, "error", reason);
    error.publish(message);
    throw reason;
  } finally {
    asyncStart.publish(message);
    asyncEnd.publish(message);
    valueOf(() => instrument?.ended(message));
  }
}
function traceCall(operation4, work) {
  const instrumentation = globals[key];
  return instrumentation || channels.some(isHeard) ? trace({ operation: operation4 }, instrumentation, work) : work();
}

// src/http/retry-after.ts
function parseRetryAfter(value, now2) {
  if (value === void 0) return void 0;
  if (/^\d+$/.test(value)) return Math.min(Number(value) * 1e3, Number.MAX_SAFE_INTEGER);
  const date = new Date(value);
  const isHttpDate = !Number.isNaN(date.getTime()) && date.toUTCString() === value;
  return isHttpDate ? Math.max(0, date.getTime() - now2.getTime()) : void 0;
}

// src/http/attempt.ts
async function sendWithin(limit, request, idleConnections, run2) {
  const { monotonicMs: monotonicMs2 } = limit.runtime;
  const startedMs = monotonicMs2();
  let stoppedBy;
  let late;
  let end2 = () => void 0;
  const stop = (reason) => {
    stoppedBy ??= reason;
    end2();
  };
  const unwatch = watch(limit, (reason) => {
    if (reason === "aborted") stop(reason);
    else setImmediate(stop, reason);
  });
  const mayBegin = () => {
    late = run2.lateness();
    return !late && monotonicMs2() - startedMs < limit.ms;
  };
  const onStop = (given) => {
    end2 = given;
    if (stoppedBy) given();
  };
  try {
    const sent2 = await run2.shared.transport(request, { mayBegin, idleConnections, onStop });
    return { ...sent2, stoppedBy, late };
  } finally {
    unwatch();
  }
}
function resultOf2({ response, failure, phase, stoppedBy, late }, { judge, url }, { ms, signal }) {
  if (late && !response) return late;
  if (stoppedBy === "aborted") return abortedBy(signal, outcomeAt(phase));
  const isComplete = failure === void 0 && stoppedBy === void 0;
  if (response && (isComplete || isWholeJson(response))) return judge(response);
  return failure ? connectionFailed(failure, phase, url) : timedOut(ms, phase, url);
}
async function makeAttempt(run2, { headers: headers2, body, onProgress }, idleConnections) {
  const { call } = run2;
  const { target, url, requestTimeOffset } = call;
  const { attemptTimeoutMs, signal } = call.limits;
  const { runtime } = run2.shared;
  const signature = typeof call.signature === "function" ? await run2.ask("secretKey", call.signature) : call.signature;
  const startedAt = timeOf(runtime, run2);
  const startedMs = runtime.monotonicMs();
  const time = requestTimeOffset === void 0 ? "" : requestTime(startedAt, requestTimeOffset);
  const signed = writeHeaders({ signature, requestTime: time || void 0 }, headers2);
  const limit = { ms: Math.min(attemptTimeoutMs, run2.leftMs()), signal, runtime };
  let sent2;
  let result;
  try {
    const wire = { method: target.method, url, headers: signed, body, onProgress };
    sent2 = await sendWithin(limit, wire, idleConnections, run2);
    result = resultOf2(sent2, call, limit);
  } catch (error2) {
    result = internalFailure(error2, "unknown");
  }
  const durationMs = runtime.monotonicMs() - startedMs;
  const { phase, response } = sent2 ?? {};
  run2.add(result, { startedAt, durationMs, requestTime: time, phase, response });
  const now2 = new Date(startedAt.getTime() + durationMs);
  const retryAfterMs = parseRetryAfter(response && headerOf(response, "retry-after"), now2);
  if (result.outcome === "accepted" || retryAfterMs === void 0) return result;
  return { ...result, facts: { ...result.facts, retryAfterMs } };
}

// src/http/retry.ts
var firstBackoffMs = 500;
var longestBackoffMs = 8e3;
var longestRetryAfterMs = 3e4;
var shortestWaitMs = firstBackoffMs / 2;
function backoffMs2(index, random) {
  return Math.min(longestBackoffMs, firstBackoffMs * 2 ** index) * (0.5 + 0.5 * random);
}
function isRetried({ transient, outcome }, { policy }) {
  return transient && (policy === "idempotent" || outcome !== "unknown");
}
async function sendWithRetries(run2, request) {
  const { call } = run2;
  const { runtime, observer } = run2.shared;
  const { maxRetries, signal } = call.limits;
  let hasLostIdleConnection = false;
  for (let retry = 0; ; retry++) {
    run2.throwIfOver();
    const mayLoseConnection = call.policy === "idempotent" && retry < maxRetries && !hasLostIdleConnection;
    const idle = mayLoseConnection ? "any" : "promised";
    const result = await makeAttempt(run2, request, idle);
    if (result.outcome === "accepted") return result.value;
    run2.lastFailure = result;
    if (retry >= maxRetries || !isRetried(result, call)) throw errorOf(result, run2);
    if (signal?.aborted) continue;
    const { wasIdleConnectionLost = false, retryAfterMs } = result.facts;
    const isAtOnce = wasIdleConnectionLost && !hasLostIdleConnection;
    hasLostIdleConnection ||= isAtOnce;
    if (isAtOnce) continue;
    const waitMs = Math.max(shortestWaitMs, retryAfterMs ?? backoffMs2(retry, runtime.random()));
    if (!run2.hasTimeFor(waitMs) || waitMs > longestRetryAfterMs) throw errorOf(result, run2);
    observer.waiting(call.subject, waitMs, run2.attempts.length, result);
    await wait({ ms: waitMs, signal, runtime });
  }
}

// src/operations/run.ts
function run(operation4, shared, options, prepare) {
  const { runtime, observer } = shared;
  const started = startedNow(runtime);
  return traceCall(operation4, async (tell) => {
    let callRun;
    try {
      const call = prepare();
      callRun = new CallRun(call, started, shared, tell);
      const request = typeof call.frozen === "function" ? await call.frozen(callRun) : call.frozen;
      observer.starting(call, request.body?.length ?? 0);
      const { beforeSend } = observer.hooks;
      if (beforeSend) await callRun.ask("beforeSend", () => beforeSend(call.subject));
      const result = await sendWithRetries(callRun, request);
      return withMetadata(result, callRun.metadata);
    } catch (error2) {
      const soFar = callRun ?? untried({ operation: operation4 }, isRepeat(options));
      const failure = error2 instanceof InstallmentError ? error2 : errorOf(internalFailure(error2, "not_sent"), soFar);
      observer.failed(failure, soFar.mayHaveBeenSent);
      throw failure;
    }
  });
}
function withMetadata(result, metadata) {
  const hidden = { value: metadata, enumerable: false, configurable: true, writable: false };
  return Object.defineProperty(result, "$metadata", hidden);
}

// src/protocol/signature.ts
import { createHmac, createSecretKey } from "node:crypto";

// src/protocol/canonical-string.ts
var signedInvoiceFields = [
  "merchantId",
  "referenceId",
  "paymentTransId",
  "storeId",
  "invoiceNumber",
  "invoiceDate",
  "description",
  "extraData"
];
function invoiceCanonicalString(fields3, { absentFields = "empty" } = {}) {
  return signedInvoiceFields.filter((name) => absentFields === "empty" || fields3[name] !== void 0).map((name) => `${name}=${fields3[name] ?? ""}`).join("&");
}

// src/protocol/signature.ts
function hmacSha256(payload, secretKey, encoding = "hex") {
  return createHmac("sha256", secretKey).update(payload).digest(encoding);
}
function secretKeyObject(secretKey) {
  return createSecretKey(secretKey, "utf8");
}

// src/operations/signer.ts
function signerWith(secretKey) {
  if (typeof secretKey === "string") {
    const key2 = secretKeyObject(secretKey);
    return (payload, encoding) => hmacSha256(payload, key2, encoding);
  }
  return (payload, encoding) => async () => hmacSha256(payload, parseSecretKey(await secretKey()), encoding);
}

// src/operations/multipart.ts
import FormData from "form-data";
function buildMultipart(fields3, file2, boundary) {
  const form = new FormData();
  form.setBoundary(boundary);
  for (const [name, value] of fields3) form.append(name, value);
  if (!file2) return form.getBuffer();
  const { bytes, filename, contentType: type } = file2;
  form.append("file", Buffer.alloc(0), { filename, contentType: type });
  const frame = form.getBuffer();
  const end2 = Buffer.byteLength(`\r
--${boundary}--\r
`);
  return Buffer.concat([frame.subarray(0, -end2), bytes, frame.subarray(-end2)]);
}

// src/operations/read-file.ts
import { open, stat } from "node:fs/promises";
import { isUint8Array as isUint8Array3 } from "node:util/types";
var chunksPerTurn = 1024;
var takenKey = /* @__PURE__ */ Symbol.for("installment-payments.streams");
var takenStreams = Reflect.get(globalThis, takenKey) ?? /* @__PURE__ */ new WeakSet();
Reflect.set(globalThis, takenKey, takenStreams);
function isReadOnce(stream) {
  return isWebStream(stream) || "destroy" in stream || "next" in stream;
}
function takeStream(stream) {
  if (isWebStream(stream)) {
    const reader = stream.getReader();
    return { next: () => reader.read(), close: () => reader.cancel() };
  }
  if (takenStreams.has(stream)) return void 0;
  const node = stream;
  if (isReadOnce(stream)) takenStreams.add(stream);
  const iterator = stream[Symbol.asyncIterator]();
  const close = () => {
    node.on?.("error", () => void 0);
    return node.destroy ? node.destroy() : iterator.return?.();
  };
  return { next: () => iterator.next(), close };
}
function closeUnread(file2) {
  void ignoreErrors(() => {
    const source = fileSourceOf(file2);
    if (typeof source !== "object" || source.kind !== "stream" || !isReadOnce(source.stream)) return;
    return takeStream(source.stream)?.close();
  });
}
async function readStream(stream, signal) {
  const reader = takeStream(stream);
  if (!reader) return new FileProblem("is a stream that is being read elsewhere, or was");
  const { next, close } = reader;
  const stop = () => void ignoreErrors(close);
  signal.addEventListener("abort", stop);
  const pieces = [];
  let size = 0;
  try {
    for (let piece = await next(); !piece.done; piece = await next()) {
      signal.throwIfAborted();
      if (!isUint8Array3(piece.value))
        return new FileProblem("must be a stream of bytes: a piece is not a Uint8Array");
      size += piece.value.length;
      if (size > maxFileBytes) return tooLarge;
      pieces.push(new Uint8Array(piece.value));
      if (pieces.length % chunksPerTurn === 0) await nextTurn();
    }
  } finally {
    stop();
  }
  return Reflect.get(stream, "truncated") === true ? new FileProblem(
    `was cut short by the multipart parser, whose limit it exceeds (busboy, multer, @fastify/multipart: limits.fileSize): set that limit above ${maxFileBytes} bytes`
  ) : Buffer.concat(pieces, size);
}
function atSize(bytes, before, later) {
  if (before === bytes.length && later === bytes.length) return bytes;
  return new FileProblem(
    `changed its size while it was read (${before} bytes before, ${bytes.length} read, ${later} after): write it under another name, and rename it when it is complete`
  );
}
async function readPath(path, signal) {
  const stats = await stat(path);
  if (!stats.isFile()) return new FileProblem(stats.isDirectory() ? "is a folder" : "is not a regular file");
  if (stats.size > maxFileBytes) return tooLarge;
  const handle = await open(path);
  try {
    const { size } = await handle.stat();
    if (size > maxFileBytes) return tooLarge;
    const bytes = Buffer.alloc(size + 1);
    let read = 0;
    for (let more = 1; more > 0; read += more) {
      signal.throwIfAborted();
      more = (await handle.read(bytes, { offset: read })).bytesRead;
    }
    return atSize(bytes.subarray(0, read), size, (await handle.stat()).size);
  } finally {
    await handle.close();
  }
}
async function readBlob(blob) {
  const { size } = blob;
  if (size > maxFileBytes) return tooLarge;
  return atSize(new Uint8Array(await blob.arrayBuffer()), size, blob.size);
}
function bytesOf2(source, signal) {
  if (source.kind === "bytes") return new Uint8Array(source.bytes);
  if (source.kind === "blob") return readBlob(source.blob);
  return source.kind === "path" ? readPath(source.path, signal) : readStream(source.stream, signal);
}
async function readInvoice(file2, signal) {
  const source = fileSourceOf(file2);
  if (typeof source === "string") return new FileProblem(source);
  const bytes = await bytesOf2(source, signal);
  return bytes instanceof FileProblem ? bytes : checkFile(source, bytes);
}
async function readFile(given, limits, { subject, mayHaveBeenSent }) {
  const refusal = ({ message, resultStatus }, cause = {}) => invalidInput([{ path: ["file"], message, resultStatus }], subject, { mayHaveBeenSent, ...cause });
  const unreadable = (cause) => {
    const source = fileSourceOf(given);
    const isFromDisk = cause instanceof Error && typeof source === "object" && source.kind === "path";
    const reason = isFromDisk ? cause.message : `${describe(wordsOf(cause))}; see the cause`;
    return refusal(new FileProblem(`cannot be read: ${reason}`), { cause });
  };
  const read = limits.within((signal) => readInvoice(given, signal), unreadable);
  const file2 = await read.finally(() => closeUnread(given));
  if (file2 instanceof FileProblem) throw refusal(file2);
  return file2;
}

// src/operations/upload-invoice.ts
function textFields(checked2, additional = {}) {
  const given = (name) => checked2[name] === void 0 ? [] : [[name, checked2[name]]];
  return [...signedInvoiceFields.flatMap(given), ...Object.entries(additional), ...given("fileUrl")];
}
var operation3 = "uploadInvoice";
function prepareInvoice(request, options, merchant) {
  try {
    return callOf(request, options, merchant);
  } catch (error2) {
    closeUnread(readProperty(request, "file"));
    throw error2;
  }
}
function callOf(request, options, merchant) {
  const { merchantId, storeId, sign, shared } = merchant;
  const [checked2, callOptions] = allOrThrow(
    subjectOf(operation3, request),
    options,
    parseRequest(invoiceUploadSchema, request, { merchantId, storeId }, additionalFieldsHint),
    parseCallOptions(uploadInvoiceOptionRules, options),
    requireFields(request, { merchantId })
  );
  const { referenceId: referenceId2, file: file2 } = checked2;
  const { additionalFields, onUploadProgress, mayHaveBeenSent = false } = callOptions;
  const subject = { operation: operation3, referenceId: referenceId2 };
  const about = { subject, mayHaveBeenSent };
  const { absentFields } = merchant.wire;
  const boundary = shared.runtime.boundary();
  const texts = textFields(checked2, additionalFields);
  const bytesWith = (content) => buildMultipart(texts, content, boundary);
  return makeSignedCall(
    {
      ...endpoints[operation3],
      subject,
      contentType: `multipart/form-data; boundary=${boundary}`,
      body: file2 ? (limits) => readFile(file2, limits, about).then(bytesWith) : bytesWith(),
      onProgress: onUploadProgress && reporting(onUploadProgress),
      // Documented as hex, whatever the switch for initiate says.
      signature: sign(invoiceCanonicalString(checked2, { absentFields }), "hex"),
      judge: (response) => judgeResult(response, { operation: operation3, referenceId: referenceId2 })
    },
    callOptions,
    merchant
  );
}
function reporting(onUploadProgress) {
  return (transferredBytes, totalBytes) => {
    const percent = transferredBytes / totalBytes * 100;
    void ignoreErrors(() => onUploadProgress({ transferredBytes, totalBytes, percent }));
  };
}

// src/client.ts
function newContext(given, runtime) {
  const options = resolveClientOptions(given);
  return { ...options, sign: signerWith(options.secretKey), shared: sharedFor(options, runtime) };
}
function changedContext({ sign: _sign, shared, ...current }, changes) {
  const options = changedClientOptions(current, changes);
  return { ...options, sign: signerWith(options.secretKey), shared: sharedWith(shared, options) };
}
var InstallmentClient = class _InstallmentClient {
  #merchant;
  /** The options that others need to know who send by this client, such as `installment-payments/orders`. No secret. */
  settings;
  constructor(options = {}, origin = systemRuntime) {
    const isDerived = origin instanceof _InstallmentClient;
    this.#merchant = isDerived ? changedContext(origin.#merchant, options) : newContext(options, origin);
    this.initiatePayment = this.initiatePayment.bind(this);
    this.uploadInvoice = this.uploadInvoice.bind(this);
    this.post = this.post.bind(this);
    this.withOptions = this.withOptions.bind(this);
    const { merchantId, storeId, platformId, repeatUnknown, totalTimeoutMs } = this.#merchant;
    this.settings = Object.freeze({ merchantId, storeId, platformId, repeatUnknown, totalTimeoutMs });
  }
  /**
   * Creates an installment payment for an order; the response has the `paymentUrl` to send the customer to. The redirect
   * back to the shop does not prove that the order is paid: see the guide "After the redirect".
   *
   * Each attempt to pay an order has a `referenceId` of its own, stored before the call.
   * The same request carries the same idempotency key. After an `'unknown'` outcome that is `retryable`, send the stored
   * request again with `mayHaveBeenSent: true`: what the service does with a repeated key is not documented. After any
   * other `'unknown'` outcome, look the payment up at the service. Start no other payment for the order in between.
   *
   * @example
   * ```ts
   * import { InstallmentClient, type PaymentRequest } from 'installment-payments';
   *
   * export async function checkout(client: InstallmentClient, order: PaymentRequest): Promise<string> {
   *   const payment = await client.initiatePayment(order);
   *   return payment.paymentUrl;
   * }
   * ```
   * @param request - The order; constants and defaults may be left out.
   * @param options - Limits, signal and idempotency key of this call; `mayHaveBeenSent` for a replay.
   * @throws ValidationError before anything is sent, or another InstallmentError whose `outcome` says what is known.
   * @see specification, Endpoints 1: Initiate transaction
   */
  initiatePayment(request, options = {}) {
    return run(
      "initiatePayment",
      this.#merchant.shared,
      options,
      () => preparePayment(request, options, this.#merchant)
    );
  }
  /**
   * Uploads an invoice for an order whose payment is confirmed, as a file, an https URL or both. A `referenceId` takes at
   * most 3.
   *
   * @example
   * ```ts
   * import { InstallmentClient } from 'installment-payments';
   *
   * export async function sendInvoice(client: InstallmentClient): Promise<string | undefined> {
   *   const invoice = await client.uploadInvoice({
   *     referenceId: 'ORDER:2026-0001',
   *     invoiceNumber: 'INV-1',
   *     file: { path: './invoice.pdf' },
   *   });
   *   return invoice.invoiceId;
   * }
   * ```
   * @param request - The invoice; the file is read once, before anything is sent.
   * @param options - Limits, signal and progress of this call.
   * @throws ValidationError before anything is sent, or another InstallmentError whose `outcome` says what is known.
   * @see specification, Endpoints 2: Upload invoice
   */
  uploadInvoice(request, options = {}) {
    return run(
      "uploadInvoice",
      this.#merchant.shared,
      options,
      () => prepareInvoice(request, options, this.#merchant)
    );
  }
  /**
   * Sends a signed request of an operation that this package does not know. The specification mentions a status query
   * without its endpoint, and names cancel and refund only as not shown. If your own documents describe one, this method
   * sends it with the same signature, headers, limits and outcomes. Any JSON response under 2xx resolves.
   *
   * @example
   * ```ts
   * import { InstallmentClient } from 'installment-payments';
   *
   * // An example of a status query. No such path is specified.
   * export async function statusOf(client: InstallmentClient, referenceId: string): Promise<unknown> {
   *   const answer = await client.post('/v2/payments/status', { referenceId }, { policy: 'idempotent', referenceId });
   *   return answer.body;
   * }
   * ```
   * @param path - Below the base URL, in the form that is sent. A query is not shown in messages and logs.
   * @param body - Plain JSON data: an object or an array. It is serialised once, and signed as an initiate request is.
   * @param options - Limits and signal, `policy` (default `'once'`), `idempotencyKey`, `referenceId`.
   * @throws ValidationError before anything is sent, UnexpectedResponseError for any response but JSON under 2xx, or
   * another InstallmentError whose `outcome` says what is known.
   */
  post(path, body, options = {}) {
    return run(
      "post",
      this.#merchant.shared,
      options,
      () => preparePost(path, body, options, this.#merchant)
    );
  }
  /**
   * Another client with some options changed, for the same service: it shares the connections of this one. Each given
   * option replaces the one of this client as a whole; those left out or undefined stay. What belongs to the service and
   * its connections cannot be changed: `baseUrl`, `wire`, `allowInsecureHttp`, `agent` and `fetch`. Everything else can,
   * `clientId` and `secretKey` included.
   *
   * @example
   * ```ts
   * import { InstallmentClient } from 'installment-payments';
   *
   * // In a web request, nobody waits for 45 seconds.
   * export function forCheckout(client: InstallmentClient): InstallmentClient {
   *   return client.withOptions({ totalTimeoutMs: 10_000, maxRetries: 1 });
   * }
   * ```
   * @param changes - Checked as the constructor checks them; the environment is not read again.
   * @throws ConfigurationError that names the option which is unknown, malformed or cannot be changed.
   */
  withOptions(changes) {
    return new _InstallmentClient(changes, this);
  }
};

// src/mock/common/samples.ts
var payment = {
  referenceId: "ORDER:2026-0001",
  paymentMethod: "WEB",
  description: "T\u1EE7 l\u1EA1nh hai c\xE1nh",
  successRedirectUrl: "https://shop.example/paid",
  unSuccessRedirectUrl: "https://shop.example/not-paid",
  amount: { value: 12e6 },
  items: [
    { productId: "SKU-1", productName: "T\u1EE7 l\u1EA1nh", category: "appliance", quantity: 1, price: 12e6 }
  ],
  customer: { phoneNumber: "0912345678", email: "an@example.com", firstName: "An", lastName: "Nguy\u1EC5n" },
  shipping: { city: "H\xE0 N\u1ED9i", district: "Ba \u0110\xECnh", ward: "Kim M\xE3", street: "Kim M\xE3", houseNumber: "12" }
};
function overridden(sample, override) {
  if (Array.isArray(sample) && Array.isArray(override)) {
    return override.map((element) => overridden(sample[0], element));
  }
  if (!isRecord(sample) || !isRecord(override)) return override;
  const replaced = Object.entries(override).map(([key2, value]) => [key2, overridden(sample[key2], value)]);
  return { ...structuredClone(sample), ...Object.fromEntries(replaced) };
}
function samplePaymentRequest(overrides = {}) {
  return overridden(payment, overrides);
}

// test/helpers/samples.ts
var credentials = {
  baseUrl: "https://pay.example",
  clientId: "demo-client",
  secretKey: "demo-secret"
};
var demo = {
  ...credentials,
  merchantId: "DEMO-MERCHANT",
  storeId: "STORE-01",
  platformId: "WEBSHOP"
};
function paymentRequest(changes = {}) {
  return { ...samplePaymentRequest(), ...changes };
}
var files = {
  pdf: Buffer.from("%PDF-1.4\n%\xE2\xE3\xCF\xD3\nsmall\n%%EOF\n", "latin1"),
  png: Buffer.from([137, 80, 78, 71, 13, 10, 26, 10, 0, 13, 10]),
  jpg: Buffer.from([255, 216, 255, 224, 13, 10, 45, 45]),
  xml: Buffer.from('<?xml version="1.0"?>\n<invoice/>')
};

// test/databases/shop.ts
function orderRequest(changes = {}) {
  const { referenceId: _referenceId, ...request } = paymentRequest({ transExpiredTime: 864e5 });
  return { ...request, ...changes };
}
function eventOf2(referenceId2, status = "paid", value = orderRequest().amount.value) {
  return { referenceId: referenceId2, status, amount: { value, currency: "VND" } };
}
function clientOf(url, options = {}) {
  return new InstallmentClient({ ...demo, baseUrl: url, maxRetries: 0, ...options });
}

// test/databases/worker.ts
var task = JSON.parse(process.argv[2] ?? "");
var database = connect(task.dialect, task.databaseUrl);
var statements = 0;
var stopping = (query) => async (sql, values) => {
  const result = await query(sql, values);
  statements += 1;
  if (statements === task.after) {
    writeSync(1, `${task.signal}
`);
    process.kill(process.pid, task.signal);
    await pause3(task.signal === "SIGKILL" ? 1e3 : 20);
  }
  return result;
};
var payments = createOrderPayments({
  client: clientOf(task.serviceUrl, { attemptTimeoutMs: 1e3, totalTimeoutMs: 1e3 }),
  dialect: task.dialect,
  query: stopping(database.query),
  onPaid: async ({ orderId }) => {
    await database.query(`INSERT INTO told (order_id) VALUES ('${orderId}')`, []);
  },
  now: () => new Date(Date.now() + Number(readFileSync(task.clockFile, "utf8"))),
  claimMs: 250,
  repeatAfterMs: 100,
  mostSends: 1e3,
  waitMs: 20
});
async function deliver(referenceId2, status) {
  await database.transaction(async (tx) => {
    const query = stopping(tx);
    const { firstPaid, orderId } = await payments.handleEvent(eventOf2(referenceId2, status), { query });
    if (firstPaid) await query(`INSERT INTO shipped (order_id) VALUES ('${orderId}')`, []);
  });
}
async function step(orderId) {
  await payments.start(orderId, orderRequest());
  const response = await fetch(`${task.serviceUrl}/notifications?order=${orderId}`);
  for (const [referenceId2, status] of await response.json())
    await deliver(referenceId2, status);
}
var left = [...task.orders];
while (left.length > 0) {
  const some = left.splice(0, 4);
  await Promise.allSettled(some.map(step));
  await payments.sweep({ limit: 20 }).catch(() => void 0);
  if (left.length === 0) {
    const states = await Promise.all(task.orders.map((orderId) => payments.get(orderId)));
    if (process.env["DBG"]) {
      const c = {};
      for (const { state, error: error2 } of states) c[state + (error2?.code ?? "")] = (c[state + (error2?.code ?? "")] ?? 0) + 1;
      console.error(process.pid, c);
      if (Math.random() < 0.05) for (const st of states.filter((x) => x.state === "checking").slice(0, 2)) console.error(JSON.stringify(await database.query(`select due_at, data from installment_orders where order_id = '${st.orderId}'`, [])).replace(/request.{500,}?idemp/g, ""), Date.now() + Number(readFileSync(task.clockFile, "utf8")));
    }
    left.push(...states.filter(({ state }) => state !== "paid").map(({ orderId }) => orderId));
    await pause3(20);
  }
}
await payments.sweep({ limit: 1e3 });
await database[Symbol.asyncDispose]();
process.exit();
