import { Type } from '../schema.js';
import { nullable } from './shapes.js';

/** What is in progress in a checkout; each leaves files of its own in the folder of git. */
export const GIT_OPERATIONS = ['rebase', 'am', 'merge', 'cherry_pick', 'revert', 'bisect'] as const;

export const GitBranch = Type.Object(
  { branch: Type.String(), dirty: Type.Boolean({ description: 'false also where that is not known.' }) },
  { description: 'As the peer writes it. null: no repository, or a detached HEAD.' },
);

export const PullRequest = Type.Object({
  number: Type.Integer(),
  label: Type.String({ description: 'What stands before the number: `PR`.' }),
  url: Type.String(),
  state: Type.Enum(['open', 'merged', 'closed']),
  branch: nullable(Type.String(), 'The branch it wants to have merged.'),
  checks: nullable(Type.Enum(['pass', 'fail', 'pending']), 'null: there are none.'),
  title: Type.String({ description: 'Untrusted text.' }),
  draft: Type.Boolean(),
});

export const GitFacts = Type.Object({
  root: Type.String({ description: 'Top of the checkout; of a bare repository its folder.' }),
  branch: nullable(Type.String(), 'null on a detached HEAD.'),
  detached: Type.Boolean(),
  head: nullable(Type.String(), 'Commit id; null on a branch that has no commit yet.'),
  upstream: nullable(Type.String(), 'e.g. `origin/main`.'),
  ahead: nullable(Type.Integer({ minimum: 0 }), 'Commits that the upstream lacks; null: there is none.'),
  behind: nullable(Type.Integer({ minimum: 0 }), 'Commits of the upstream that are missing here.'),
  dirty: nullable(Type.Boolean(), 'Something is changed, staged or untracked; null: a bare repository has no files.'),
  changed_count: nullable(Type.Integer({ minimum: 0 }), 'How many entries `git status` lists.'),
  operation: nullable(Type.Enum([...GIT_OPERATIONS]), 'What was begun here and is not finished.'),
  pull_request: nullable(PullRequest, 'Known only with the setting `git.pull_requests`.'),
});

/** What rows of workspaces say of the repository that their directory is in. */
export const gitFields = {
  git: nullable(GitFacts, 'Of the repository that the directory is in, as last seen; null: it is in none.'),
  git_branch: nullable(GitBranch),
  pull_request: nullable(PullRequest),
};
