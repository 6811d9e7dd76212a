export { connectMock } from './connect-mock.js';
export { MockUsageError } from '../common/usage-error.js';
export { ConfigurationError } from '../../errors/errors.js';
export type { ConnectOptions, RemoteMock } from './remote-types.js';
