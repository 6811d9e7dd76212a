import type { MockContext } from '../../service/mock-context.js';

/** The parts of a mock that the pages need besides its records and controls. */
export interface InspectorSetup extends Pick<
  MockContext,
  'payments' | 'script' | 'webhooks' | 'wire' | 'now'
> {
  /** Of the service, then the paths that `handle` registered. */
  readonly operationNames: () => readonly string[];
}
