/** What `switchyard up` can say about the yard; everything else is in the settings file and the environment. */
export interface YardOptions {
  readonly yard?: string | undefined;
  readonly socket?: string | undefined;
  /** Wins over `bus.broker` of the settings. */
  readonly broker?: string | undefined;
}
