import prettier from 'prettier';
import type { ObservationId } from '../src/workbench/probe/judge/observations.js';
import { openQuestions, type OpenQuestionName } from './open-questions.js';

/** The options that change a decision. */
const switches: Readonly<Partial<Record<OpenQuestionName, string>>> = {
  signatureEncoding: "wire: { signatureEncoding: 'base64' }",
  signedText: "wire: { secretKeyEncoding: 'hex' }",
  requestTimeZone: "wire: { requestTimeOffset: '+00:00' }",
  absentFields: "wire: { absentFields: 'omit' }",
  earlyUpload: "createMockService({ uploads: 'any' })",
  repeatedKey: 'repeatUnknown: false; idempotencyKey per call',
  applicationIdField: 'new LenderClient({ applicationIdField })',
  lenderAuthentication: 'new LenderClient({ headers })',
  lenderAnswer: 'new LenderClient({ acknowledged })',
  reversals: "createMockService({ lender: { reversals: 'own-code' } })",
  addresses: 'baseUrl, of each client',
  paymentStates: 'createMockService({ world: { settlement } })',
  notificationDelivery: 'createMockService({ world: { notification } })',
  responseDelay: 'attemptTimeoutMs, totalTimeoutMs, of each client',
  operationsNotShown: 'client.post(path, body)',
  scheduleNotification: 'lender.post(path, body)',
  paymentNotification:
    'createWebhookHandler({ schema, signatureHeader, signatureEncoding, secretKeyEncoding })',
  unknownFields: 'additionalFields, per call',
  amounts: "client.post('/v2/payments', body)",
  prices: "client.post('/v2/payments', body)",
  totals: "client.post('/v2/payments', body)",
};

/** The observations of `probe` that answer a question, for one sandbox. */
const observations: Readonly<Partial<Record<OpenQuestionName, readonly ObservationId[]>>> = {
  signatureEncoding: ['signature-encoding'],
  signedText: ['secret-key-encoding', 'exact-bytes'],
  requestTimeZone: ['request-time-offset'],
  absentFields: ['absent-fields'],
  repeatedKey: ['repeat', 'repeat-in-flight'],
  httpStatus: ['refusals'],
  refusals: ['first-answer'],
  earlyUpload: ['uploads-before-payment'],
};

/** The guide to what the specification leaves open, as Markdown. `npm run generate -- open-questions` writes it. */
export async function openQuestionsPage(): Promise<string> {
  const items = Object.entries(openQuestions).map(([name, { question, decision }]) => {
    const change = switches[name as OpenQuestionName];
    const shown = (observations[name as OpenQuestionName] ?? []).map((id) => `\`${id}\``).join(', ');
    const probed = shown === '' ? '' : ` [probe](go-live.md#ask-your-sandbox): ${shown}.`;
    return `- **${question}.** ${decision}${change === undefined ? '' : ` \`${change}\`.`}${probed}`;
  });
  const page = [
    '# What the specification leaves open',
    '',
    "Where the service's document is silent, this package makes a decision. None of them is a fact about the service:",
    'ask yours, and change the decision where a switch follows it. The same sentences appear in `openapi.json` under',
    '`x-decision`. After `probe` stand the observations with which it shows what your sandbox does.',
    '',
    "If your provider's documentation permits an order that these rules refuse, such as a discount as a line with a negative",
    "price, `client.post('/v2/payments', body, { policy: 'idempotent', idempotencyKey, referenceId })` sends it. The body is signed",
    'as it is, and neither checked nor completed: it needs `merchantId`, `currency` and all other fields. The mock refuses it.',
    '',
    ...items,
    '',
  ].join('\n');
  const options = await prettier.resolveConfig('docs/open-questions.md');
  return prettier.format(page, { ...options, parser: 'markdown' });
}
