import { method } from '../define.js';
import { params, result, str } from '../params.js';
import { Type } from '../schema.js';
import { nullable, nullableIds } from './shapes.js';

const Worktree = Type.Object({
  path: Type.String(),
  branch: nullable(Type.String(), 'null when detached.'),
  head: Type.String({ description: 'Commit id.' }),
  is_open: Type.Boolean({ description: 'A workspace has this directory.' }),
  ...nullableIds('workspace'),
});

export const worktree = {
  'worktree.list': method({
    owner: 'git-service',
    effect: 'query',
    summary: 'The worktrees of a repository, the main checkout first.',
    params: params({ repo: str('Any folder of the repository; `~` is the home folder.') }),
    result: result({ repo: Type.String({ description: 'Its top level.' }), worktrees: Type.Array(Worktree) }),
    errors: ['not_a_git_repo', 'git_command_failed'],
  }),
} as const;
