/** The options of the mock's lender operations, for the points that the specification leaves open. */
export interface MockLenderOptions {
  /** The name of the masked field on the wire. @default 'serviceApplicationId' */
  readonly applicationIdField?: string | undefined;
  /**
   * Returns true if a notification comes from the lender, according to the authentication that you and the lender have
   * agreed on. The function can read the body of the request.
   * @default every notification is accepted
   */
  readonly authenticate?: ((request: Request) => boolean | Promise<boolean>) | undefined;
  /**
   * The `lenderTransactionCode` of a reversal: the code of the receipt that it reverses, or a separate code. `ledger`
   * counts receipts and reversals accordingly.
   * @default 'same-code'
   */
  readonly reversals?: LenderReversals | undefined;
}

export const lenderReversals = ['same-code', 'own-code'] as const;

/** The `lenderTransactionCode` of a reversal: the code of its receipt, or a separate code. */
export type LenderReversals = (typeof lenderReversals)[number];

/** The options with their defaults. */
export type ResolvedLenderOptions = MockLenderOptions & { readonly reversals: LenderReversals };
