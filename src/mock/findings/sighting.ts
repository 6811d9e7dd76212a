/** One case of a rule: the part of a finding that differs from case to case. */
export interface Sighting {
  readonly message: string;
  readonly referenceId?: string | undefined;
  readonly requests: readonly number[];
}
