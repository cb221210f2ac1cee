import { method } from '../define.js';
import { params, result } from '../params.js';
import { Type } from '../schema.js';
import { GitFacts } from './git-facts.js';
import { nullable } from './shapes.js';

export const WatchedFolder = Type.Object({
  folder: Type.String({ description: 'Absolute path, as the surfaces have it.' }),
  surface_ids: Type.Array(Type.String(), { description: 'What is printed in these may have changed files here.' }),
});

/** What is known of a folder. A later `rev` of one instance is newer; another instance is newer altogether. */
export const FolderFacts = {
  rev: Type.Integer({ minimum: 1 }),
  git: nullable(GitFacts, 'null: no repository, or the folder does not exist.'),
};

export const gitWatch = {
  'git.watch': method({
    owner: 'git-service',
    visibility: 'internal',
    effect: 'mutation',
    idempotent: true,
    summary: 'The folders to keep an eye on from now on, and no others. Changes are told with `git.changed`.',
    params: params({ folders: Type.Array(WatchedFolder) }),
    result: result({
      instance: Type.String({ description: 'Unique to this run of the git-service.' }),
      folders: Type.Array(Type.Object({ folder: Type.String(), ...FolderFacts }), {
        description: 'Those already looked at. The others follow as events.',
      }),
    }),
  }),
} as const;
