/** How the lender's side of a deployment differs from the specification, which leaves both open. */
export interface MockLenderOptions {
  /** Name of the masked field on the wire. @default 'serviceApplicationId' */
  readonly applicationIdField?: string | undefined;
  /**
   * Returns whether a notification comes from the lender, by whatever authentication was agreed. It can read the body.
   * @default every notification is accepted
   */
  readonly authenticate?: ((request: Request) => boolean | Promise<boolean>) | undefined;
}
