/** What tests and clients of the peer pretend of the application: that a person looks at it, or does not; null: nothing. */
export class AppFocus {
  override: boolean | null = null;
}
