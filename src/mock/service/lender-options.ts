/** How the lender's side of a deployment differs from the specification, which leaves both open. */
export interface MockLenderOptions {
  /** Name of the masked field on the wire. @default 'serviceApplicationId' */
  readonly applicationIdField?: string | undefined;
  /**
   * Whether a notification comes from the lender, by whatever authentication was agreed. Without it every one does.
   * The request's body can be read.
   */
  readonly authenticate?: ((request: Request) => boolean | Promise<boolean>) | undefined;
}
