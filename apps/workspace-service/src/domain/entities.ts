import type { SavedTracker } from '@switchyard/agents';
import type { SurfaceSessions } from './agent-sessions.js';
import type { SplitNode } from './split-tree.js';
import type { Telemetry } from './telemetry.js';

/** An upper-case UUID (programa-api §2.4). */
export type Id = string;

/** Kinds that have a ref such as `pane:3`; each has a counter of its own that never goes back. */
export const REF_KINDS = ['window', 'workspace', 'pane', 'surface'] as const;
export type RefKind = (typeof REF_KINDS)[number];

/** Records are never changed in place: a change puts a new record into its table. */
export interface YardRecord {
  readonly id: 'yard';
  readonly windowIds: readonly Id[];
  /** Where requests go that name no window (programa-api §2.6). */
  readonly activeWindowId: Id | null;
  /** When the service last stopped in order; exits after it were the yard's doing, not the programs'. */
  readonly stoppedAt: number | null;
  /** The highest ref given out, by kind. */
  readonly counters: Readonly<Record<RefKind, number>>;
}

export interface WindowRecord {
  readonly id: Id;
  readonly ref: number;
  readonly workspaceIds: readonly Id[];
  readonly selectedId: Id;
  /** Workspaces selected before, oldest first, for `workspace.last`. */
  readonly history: readonly Id[];
}

export interface WorkspaceRecord {
  readonly id: Id;
  readonly ref: number;
  readonly windowId: Id;
  readonly customTitle: string | null;
  /** "Terminal N", shown until a program sets a title. */
  readonly defaultTitle: string;
  readonly description: string | null;
  readonly color: string | null;
  readonly pinned: boolean;
  readonly unread: boolean;
  /** Where its first terminal started; new terminals fall back to it. */
  readonly directory: string;
  readonly tree: SplitNode;
  readonly focusedPaneId: Id;
  /** Processes of agents that were registered here, oldest first; absent: none ever was. */
  readonly agentPids?: readonly AgentPid[];
  /** `request_id` that last applied a layout here: a repeat must find what it made. */
  readonly appliedBy?: string;
}

export interface AgentPid {
  readonly key: string;
  readonly pid: number;
}

export interface PaneRecord {
  readonly id: Id;
  readonly ref: number;
  readonly workspaceId: Id;
  readonly surfaceIds: readonly Id[];
  readonly selectedId: Id;
}

/** How the program of a surface is started, and started again. */
export interface Launch {
  /** null: the user's shell. */
  readonly argv: readonly string[] | null;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * What a layout wants in a terminal. Kept apart from what runs there at the moment, so that no restart loses it (bug
 * case E5).
 */
export interface Declared {
  /** Name of the layout. */
  readonly layout: string;
  /** Command line that is typed into its shell; null: none. */
  readonly command: string | null;
}

export interface ExitInfo {
  readonly exit_code: number | null;
  readonly signal: string | null;
  readonly offset: number;
  readonly at: number;
  /** `lost`: its terminal went away under it, as when the whole yard was killed. */
  readonly reason?: 'exited' | 'lost';
}

export interface CellSize {
  readonly cols: number;
  readonly rows: number;
}

/** What a review is about. Its comments and its diff are kept by the git-service. */
export interface Reviewed {
  /** The surface whose work is reviewed; it may be gone. */
  readonly source: Named;
  readonly mode: 'uncommitted' | 'branch';
  /** As asked for; null: the usual one. */
  readonly baseBranch: string | null;
}

export interface SurfaceRecord {
  readonly id: Id;
  readonly ref: number;
  readonly paneId: Id;
  readonly type: 'terminal' | 'review';
  /** Present with a review, and only there. */
  readonly review?: Reviewed;
  /** The machine whose pty-host has the terminal. */
  readonly host: string;
  readonly customTitle: string | null;
  readonly processTitle: string | null;
  readonly pinned: boolean;
  readonly unread: boolean;
  /** Of a review: the worktree, where terminals that are opened beside it start. */
  readonly launch: Launch;
  /** Directory the program last reported (OSC 7). */
  readonly cwd: string | null;
  readonly remainOnExit: boolean;
  readonly exit: ExitInfo | null;
  /** Set while a client that shows the surface dictates its size; null: the pane does. */
  readonly size: CellSize | null;
  /** When its present program was started. */
  readonly startedAt: number;
  /** Conversations of the agents in it; absent: none was reported. */
  readonly sessions?: SurfaceSessions;
  /** Absent: it came from no layout. */
  readonly declared?: Declared;
  /** Its program ended with the yard, not by itself, and was not started again. */
  readonly stopped?: boolean;
  /** To be typed into its shell once that is ready: the command of a layout, or what goes on with what ran there. */
  readonly typedDue?: string | null;
  /** Its program has never run: a start that was cut off is made up for at the next one. */
  readonly unstarted?: boolean;
  /** What is known of what its program does; absent: nothing was ever reported or found. */
  readonly telemetry?: Telemetry;
  /** File with the text that its shell begins with, of an earlier terminal; null: it was shown. */
  readonly replay?: string | null;
}

/** What is kept of the agent in a surface over a restart. */
export interface AgentRecord {
  /** That of the surface. */
  readonly id: Id;
  /** Name that it was started with, while it runs. */
  readonly name: string | null;
  /** `request_id` that started it: a repeat must find it. */
  readonly startedBy: string | null;
  /** When the present run of an agent in it was first seen, or that none is. */
  readonly knownSince: number;
  /** Some state was known once, even if it was cleared since. */
  readonly reported: boolean;
  readonly tracker: SavedTracker;
}

/** Enough of a window or workspace to name it after it is gone. */
export interface Named {
  readonly id: Id;
  readonly ref: number;
}

/** Where a surface was when it left the tree. */
export interface Departed {
  readonly surface: SurfaceRecord;
  readonly window: Named;
  readonly workspace: Named;
  /** Its place among the tabs of its pane. */
  readonly index: number;
}

/**
 * A surface that left the tree. `staged`: its process runs on and it can come back until `dueAt`.
 * `ending`: its process is being ended. `gone`: only its output and exit are kept, for late readers.
 */
export interface ClosedRecord extends Departed {
  readonly id: Id;
  readonly closedAt: number;
  readonly dueAt: number;
  readonly phase: 'staged' | 'ending' | 'gone';
}
