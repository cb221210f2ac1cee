/**
 * The closed list of error codes. A code is part of the contract: it never changes its meaning.
 * `retry` says whether the same request can succeed later without the caller changing anything.
 */
export const ERRORS = {
  // The frame or envelope itself (programa-api §2.2).
  v1_removed: { retry: false, text: 'The line is not a JSON object; the old plain-text protocol is gone.' },
  parse_error: { retry: false, text: 'The line is not valid JSON.' },
  invalid_utf8: { retry: false, text: 'The line is not valid UTF-8; the connection is closed.' },
  invalid_request: { retry: false, text: 'The JSON is not a request: `method` or `params` has the wrong form.' },
  method_not_found: { retry: false, text: 'No such method.' },
  payload_too_large: { retry: false, text: 'A request line is over the limit; the connection is closed.' },
  response_too_large: { retry: false, text: 'The reply is over the limit; ask for less.' },
  encode_error: { retry: false, text: 'The result cannot be written as JSON.' },
  // Who asks.
  auth_required: { retry: false, text: 'Log in with auth.login first.' },
  auth_failed: { retry: false, text: 'The password is wrong.' },
  auth_unconfigured: { retry: false, text: 'Password access is on but no password is configured.' },
  forbidden: { retry: false, text: 'The caller lacks the scope that the method needs.' },
  // What is asked.
  invalid_params: { retry: false, text: 'A parameter is missing or has a wrong value.' },
  not_found: { retry: false, text: 'The thing named does not exist (any more).' },
  unavailable: { retry: false, text: 'There is nothing to act on: no window, no workspace, or no git worktree.' },
  invalid_state: { retry: false, text: 'The thing exists but its state does not allow this.' },
  protected: { retry: false, text: 'The thing is pinned and must be unpinned first.' },
  invalid_name: { retry: false, text: 'The name can not be that of a file.' },
  no_active_workspace: { retry: false, text: 'The workspace has nothing that could be saved.' },
  already_exists: { retry: false, text: 'A thing of that name exists.' },
  not_supported: { retry: false, text: 'Switchyard does not do this.' },
  version_mismatch: { retry: false, text: 'The data was written by an incompatible version.' },
  // Terminals.
  command_not_found: { retry: false, text: 'The program to run does not exist or is not executable.' },
  directory_not_found: { retry: false, text: 'The working directory does not exist or is not a directory.' },
  terminal_exited: { retry: false, text: 'The terminal has exited.' },
  input_overflow: { retry: true, text: 'The program does not read and its input queue is full; nothing was queued.' },
  // Agents.
  agent_not_ready: {
    retry: true,
    text: 'A prompt would answer a dialog, or be mixed with one that still stands in the composer. data.screen shows it; `force` overrides.',
  },
  agent_not_running: { retry: false, text: 'No agent runs there, or not the one that was meant, or it has ended.' },
  agent_name_taken: { retry: false, text: 'An agent of that name runs.' },
  // Git.
  not_a_git_repo: { retry: false, text: 'The path is not inside a git repository.' },
  git_command_failed: { retry: false, text: 'git failed; data carries what it said.' },
  worktree_dirty: {
    retry: false,
    text: 'The worktree holds what is nowhere else, or an agent is at work in it; data.inventory lists it.',
  },
  worktree_locked: { retry: false, text: 'The worktree is locked; data.reason says why. Unlock it first.' },
  worktree_changing: { retry: true, text: 'Files in the worktree changed while they were saved; nothing was removed.' },
  archive_impossible: {
    retry: false,
    text: 'What would be lost is too much to be archived, or the disk has no room; nothing was removed.',
  },
  merge_conflict: {
    retry: false,
    text: 'Both sides changed the same; data.conflicts names the files. Nothing was changed.',
  },
  not_fast_forward: { retry: false, text: 'The base has commits of its own.' },
  base_dirty: {
    retry: false,
    text: 'The checkout of the base has changes or files that stand in the way; nothing was changed.',
  },
  snapshot_changed: {
    retry: false,
    text: 'The tree has changed since the page before, or does not hold still. Ask for the first page.',
  },
  too_many_changes: { retry: false, text: 'More files differ than one answer is made of; ask for some paths.' },
  branch_checked_out: { retry: false, text: 'Another worktree has the branch; data.existing_path says which.' },
  worktree_path_exists: { retry: false, text: 'There is something at the path already.' },
  worktree_not_found: { retry: false, text: 'The repository has no such worktree.' },
  worktree_operation_in_progress: { retry: true, text: 'Another change of the same repository is under way.' },
  setup_not_trusted: {
    retry: false,
    text: 'What the repository wants to run after a worktree is made has not been trusted, or has changed since.',
  },
  layout_not_found: { retry: false, text: 'There is no layout of that name.' },
  // Fleet.
  host_unreachable: {
    retry: true,
    text: 'The machine has not been heard of for some seconds; data.last_contact_at says since when. What runs there runs on.',
  },
  host_identity_changed: {
    retry: false,
    text: 'Another machine than before came under this name. If that is meant, `host.renew` makes credentials for it.',
  },
  host_name_taken: { retry: false, text: 'Another machine is online under this name.' },
  host_in_use: { retry: false, text: 'Surfaces are on that machine; data.surface_ids names them.' },
  fleet_not_configured: {
    retry: false,
    text: 'The yard lets no other machines join; the message says which setting is missing.',
  },
  // What is kept on disk.
  storage_full: {
    retry: true,
    text: 'The disk has no room for what this would store; nothing was changed. Reads and input go on.',
  },
  storage_read_only: { retry: true, text: 'The disk is read-only; nothing was changed. Reads and input go on.' },
  // Time and transport.
  timeout: { retry: true, text: 'The deadline passed first.' },
  cancelled: { retry: true, text: 'The caller withdrew the request.' },
  service_unavailable: { retry: true, text: 'The service that answers this is not running; nothing was delivered.' },
  outcome_unknown: {
    retry: false,
    text: 'The service died with the request in its hands. Look before you repeat, or repeat with the same request_id.',
  },
  overloaded: { retry: true, text: 'Too many requests are in flight; nothing was started.' },
  connection_closed: { retry: true, text: 'The connection closed before the reply.' },
  internal_error: { retry: false, text: 'A fault of Switchyard; the message carries a log id.' },
} as const;

export type ErrorCode = keyof typeof ERRORS;

/** What any method can answer besides the codes it declares. */
export const COMMON_ERRORS = [
  'auth_required',
  'cancelled',
  'encode_error',
  'forbidden',
  'host_unreachable',
  'internal_error',
  'invalid_params',
  'outcome_unknown',
  'overloaded',
  'response_too_large',
  'service_unavailable',
  'storage_full',
  'storage_read_only',
  'timeout',
] as const satisfies readonly ErrorCode[];

/** The one error that crosses process and socket boundaries. Everything else becomes `internal_error`. */
export class SwitchyardError extends Error {
  readonly code: ErrorCode;
  readonly data: Record<string, unknown> | undefined;

  /**
   * @param code one of {@link ERRORS}
   * @param message one sentence for a person
   * @param data facts for a program: ids, limits, supported values
   */
  constructor(code: ErrorCode, message: string, data?: Record<string, unknown>, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SwitchyardError';
    this.code = code;
    this.data = data;
  }
}

/** Throws; usable where an expression is wanted: `find(id) ?? fail('not_found', …)`. */
export function fail(code: ErrorCode, message: string, data?: Record<string, unknown>): never {
  throw new SwitchyardError(code, message, data);
}

export function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(ERRORS, code);
}
