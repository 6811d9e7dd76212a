import { didYouMean } from '../../values/nearest-word.js';
import type { Command } from './command.js';
import { explainNotificationCommand } from './explain-notification.js';
import { explainInvoiceCommand, explainPaymentCommand } from './explain-request.js';
import { explainSignatureCommand } from './explain-signature.js';
import { CliError } from './io.js';
import { printable } from '../../values/texts.js';

const commands = [
  explainPaymentCommand,
  explainInvoiceCommand,
  explainSignatureCommand,
  explainNotificationCommand,
];

const kinds = commands.map(({ name }) => name.replace('explain ', ''));
const list = 'payment, invoice, signature or notification';

export const explainCommand: Command = {
  name: 'explain',
  summary: 'Shows how a request or a webhook is signed, or why a signature is wrong',
  usage: ['explain KIND FILE --secret-env NAME [OPTIONS]'],
  options: {},
  commands,
  notes: '',
  run: ([kind]) => {
    const problem =
      kind === undefined || kind.startsWith('-')
        ? `explain needs a kind as its first argument: ${list}`
        : `Unknown kind '${printable(kind)}'${didYouMean(kind, kinds) || `: the kinds are ${list}`}`;
    return Promise.reject(new CliError(problem));
  },
};
