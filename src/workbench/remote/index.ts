export { connectMock } from './connect-mock.js';
export { MockUsageError } from '../../errors/usage-error.js';
export type { RemoteMock } from './remote-types.js';
