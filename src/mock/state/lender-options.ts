/** How the lender's side of a deployment differs from the specification, which leaves all of it open. */
export interface MockLenderOptions {
  /** Name of the masked field on the wire. @default 'serviceApplicationId' */
  readonly applicationIdField?: string | undefined;
  /**
   * Returns whether a notification comes from the lender, by whatever authentication was agreed. It can read the body.
   * @default every notification is accepted
   */
  readonly authenticate?: ((request: Request) => boolean | Promise<boolean>) | undefined;
  /**
   * The `lenderTransactionCode` of a reversal: the code of the receipt that it reverses, or a code of its own. It decides
   * what `ledger` counts as received.
   * @default 'same-code'
   */
  readonly reversals?: LenderReversals | undefined;
}

export const lenderReversals = ['same-code', 'own-code'] as const;

/** The `lenderTransactionCode` of a reversal: that of its receipt, or one of its own. */
export type LenderReversals = (typeof lenderReversals)[number];

/** The options with their defaults. */
export type ResolvedLenderOptions = MockLenderOptions & { readonly reversals: LenderReversals };
