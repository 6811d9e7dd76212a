/** A control of the mock was used wrongly: an unknown reference, a fault that there is not. */
export class MockUsageError extends Error {
  /** Always `MockUsageError`. */
  override readonly name = 'MockUsageError';
}
