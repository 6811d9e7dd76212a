import type { MockControls } from '../../controls/mock-controls.js';
import { injectFaultSchema, respondWithSchema } from '../../state/script.js';
import { checked } from '../../wire/usage-error.js';
import { settleSchema, type MockPayment } from '../../state/payments.js';
import type { Control } from './controls-page.js';
import type { FormTexts } from './form-texts.js';

/** The requests that a form is about. */
function whenOf(typed: FormTexts): object {
  return { times: typed.number('times'), referenceId: typed.optional('referenceId') };
}

const actions: Readonly<Record<Control, (mock: MockControls, typed: FormTexts) => MockPayment | undefined>> =
  {
    respond(mock, typed) {
      const { operation, answer, ...when } = checked(respondWithSchema, 'Next result', {
        operation: typed.text('operation'),
        answer: {
          resultStatus: typed.optional('resultStatus'),
          resultMsg: typed.optional('resultMsg'),
          httpStatus: typed.number('httpStatus'),
        },
        ...whenOf(typed),
      });
      mock.respondWith(operation, answer, when);
      return undefined;
    },

    fault(mock, typed) {
      const name = typed.text('fault');
      const { operation, fault, ...when } = checked(injectFaultSchema, 'Next fault', {
        operation: typed.text('operation'),
        fault: name === 'delay' ? { delayMs: typed.number('delayMs') } : name,
        phase: typed.optional('phase'),
        ...whenOf(typed),
      });
      mock.injectFault(operation, fault, when);
      return undefined;
    },

    settle(mock, typed) {
      const { referenceId, status } = checked(settleSchema, 'Settle', {
        referenceId: typed.text('referenceId'),
        status: typed.text('status'),
      });
      return mock.settle(referenceId, status, typed.optional('merchantId'));
    },

    reset(mock) {
      mock.reset();
      return undefined;
    },
  };

/**
 * Does what a form of the control page asks for.
 *
 * @returns the payment that was settled
 * @throws MockUsageError when it is filled in wrongly
 */
export function applyControl(
  control: Control,
  mock: MockControls,
  typed: FormTexts,
): MockPayment | undefined {
  return actions[control](mock, typed);
}
