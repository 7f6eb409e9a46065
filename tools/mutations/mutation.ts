/** A change of a source file that makes the product insecure or wrong, and the test that must fail then. */
export interface Mutation {
  /** The rule that the change breaks. */
  readonly name: string;
  readonly file: string;
  /** The text to replace. The file contains it exactly once. */
  readonly expression: string;
  readonly replacement: string;
  readonly test: { readonly file: string; readonly name: string };
  /** A part of the message with which the test must fail. */
  readonly reason: string;
}
