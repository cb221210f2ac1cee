/** What a caller may do; each but `self` includes those before it. */
export type GrantedScope = 'self' | 'read' | 'write' | 'admin';

/** What a connection may do. Plain data. */
export interface Grant {
  readonly scopes: readonly GrantedScope[];
  /** Only in these workspaces; null: in all. */
  readonly workspaceIds: readonly string[] | null;
  /** Only on surfaces of these hosts; null: of all. */
  readonly hosts: readonly string[] | null;
  /** The surface that `self` is. */
  readonly surfaceId: string | null;
  /** Unix milliseconds; null: never. */
  readonly expiresAt: number | null;
}

/** Of whoever owns the yard. */
export const EVERYTHING: Grant = {
  scopes: ['admin'],
  workspaceIds: null,
  hosts: null,
  surfaceId: null,
  expiresAt: null,
};

/** Whether it is limited to a part of the tree. */
export const isConfined = ({ workspaceIds, hosts, surfaceId }: Grant): boolean =>
  workspaceIds !== null || hosts !== null || surfaceId !== null;
