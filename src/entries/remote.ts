export { connectMock } from '../workbench/remote/connect-mock.js';
export { MockUsageError } from '../errors/usage-error.js';
export type { RemoteMock } from '../workbench/remote/remote-types.js';
