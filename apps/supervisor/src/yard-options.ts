/** What `switchyard up` can say about the yard; everything else is in the settings file and the environment. */
export interface YardOptions {
  readonly yard?: string | undefined;
  readonly socket?: string | undefined;
  /** Wins over `bus.broker` of the settings. */
  readonly broker?: string | undefined;
  /** This machine joins another yard: it has terminals, and is asked for them by that yard. */
  readonly join?: JoinOptions | undefined;
}

export interface JoinOptions {
  /** Path of the credentials that the yard has made for this machine. */
  readonly creds: string;
  /** Where the yard is reached, in place of what the credentials say: `tls://host:port`. */
  readonly url?: string | undefined;
}
