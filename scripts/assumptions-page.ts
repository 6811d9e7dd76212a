import type { ObservationId } from '../src/workbench/probe/judge/observations.js';
import { assumptions, type AssumptionName } from './assumptions.js';
import { formatted } from './formatted.js';

/** The options that change an assumption, as Markdown. */
const switches: Readonly<Partial<Record<AssumptionName, string>>> = {
  signatureEncoding: "`wire: { signatureEncoding: 'base64' }`",
  signedText: "`wire: { secretKeyEncoding: 'hex' }`",
  requestTimeZone: "`wire: { requestTimeOffset: '+00:00' }`",
  absentFields: "`wire: { absentFields: 'omit' }`",
  earlyUpload: "`createMockService({ uploads: 'any' })`",
  repeatedKey: '`repeatUnknown: false, idempotencyKey`',
  applicationIdField: '`new LenderClient({ applicationIdField })`',
  lenderAuthentication: '`new LenderClient({ headers })`',
  lenderAnswer: '`new LenderClient({ acknowledged })`',
  reversals: "`createMockService({ lender: { reversals: 'own-code' } })`",
  addresses: '`baseUrl`',
  paymentStates: '`scenario: { settlement }`',
  notificationDelivery: '`scenario: { notification }`',
  responseDelay: '`attemptTimeoutMs, totalTimeoutMs`',
  operationsNotShown: '`client.post(path, body)`',
  scheduleNotification: '`lender.post(path, body)`',
  paymentNotification: '`schema, signatureHeader, signatureEncoding, secretKeyEncoding`',
  unknownFields: '`additionalFields`',
  amounts: '[convert](payment-request.md#amounts-and-time)',
  prices: "`client.post('/v2/payments', body)`",
  totals: "`client.post('/v2/payments', body)`",
};

/** The observations of `probe` that answer a question, for one sandbox. */
const observations: Readonly<Partial<Record<AssumptionName, readonly ObservationId[]>>> = {
  signatureEncoding: ['signature-encoding'],
  signedText: ['secret-key-encoding', 'exact-bytes'],
  requestTimeZone: ['request-time-offset'],
  absentFields: ['absent-fields'],
  repeatedKey: ['repeat', 'repeat-in-flight'],
  httpStatus: ['refusals'],
  refusals: ['first-response'],
  earlyUpload: ['uploads-before-payment'],
};

/** The page of the assumptions, as Markdown. `npm run generate -- assumptions` writes it. */
export async function assumptionsPage(): Promise<string> {
  const rows = Object.entries(assumptions).map(([name, { question, assumption }]) => {
    const change = switches[name as AssumptionName];
    const shown = (observations[name as AssumptionName] ?? []).map((id) => `\`${id}\``).join(', ');
    const means = [change ?? '', shown && `\`probe\`: ${shown}`];
    return [question, assumption, means.filter((text) => text !== '').join('. ')];
  });
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const page = [
    '# Assumptions',
    '',
    'The specification leaves these questions open. Our assumptions are not facts about the service: ask your provider.',
    '',
    '## With an option or an observation',
    '',
    'Use the option if your provider does something else. An observation of [`probe`](probe.md) shows what your sandbox does.',
    '',
    '| question | we assume | option, and observation |',
    '| --- | --- | --- |',
    ...rows.filter(([, , means]) => means !== '').map(line),
    '',
    'If your provider permits an order that the client refuses, such as one with a negative price, send the order with',
    "`client.post('/v2/payments', body, { policy: 'idempotent', idempotencyKey, referenceId })`. The client adds no fields to this body.",
    '',
    '## Without an option',
    '',
    '| question | we assume |',
    '| --- | --- |',
    ...rows.filter(([, , means]) => means === '').map((cells) => line(cells.slice(0, 2))),
    '',
  ].join('\n');
  return formatted('docs/assumptions.md', page);
}
