import type { HandlerContext } from '@switchyard/bus';
import { fail, type HandlersIn, type Params, type Result } from '@switchyard/protocol';
import { type Repository, repositoryAt } from '../adapters/repository.js';
import { worktreeIdentity } from '../domain/worktree-names.js';
import { type GitKit, onBehalfOf } from '../git-kit.js';
import { placesOf, type Shown, shownIn } from '../places.js';
import { CREATE, type CreateFacts } from '../worktree/create-facts.js';
import { create, recoverCreation } from '../worktree/creation.js';
import { type CreatePlan, planCreate, targetOf } from '../worktree/plan-create.js';
import { setupSkipped } from '../worktree/setup.js';

type CreateHandlers = Pick<HandlersIn<'worktree', 'git-service', HandlerContext>, 'worktree.create'>;
type Created = Result<'worktree.create'>;

/** Errors come in the order of programa-api §8.1. */
export function worktreeCreateHandlers(kit: GitKit): CreateHandlers {
  return {
    'worktree.create': async (params, ctx) => {
      const { window_id } = await placesOf(kit.bus, onBehalfOf(ctx), params.window_id);
      const repository = await repositoryAt(params.repo, ctx.signal);
      const path = await targetOf(repository, params, kit.worktreesFolder, ctx.signal);
      if (params.layout !== undefined) await checkLayout(kit, params.layout, ctx);
      const request = new CreateRequest(kit, params, repository, path, window_id);
      const created = await kit.changes.ofRepo(repository.commonDir, ctx, () => request.run(ctx));
      if (params.focus === true) {
        await kit.bus.call('workspace.select', { workspace_id: created.workspace_id }, onBehalfOf(ctx));
      }
      return created;
    },
  };
}

/** One request for a worktree, from the moment it has the repository for itself. */
class CreateRequest {
  readonly #kit: GitKit;
  readonly #params: Params<'worktree.create'>;
  readonly #repository: Repository;
  readonly #path: string;
  readonly #windowId: string;
  readonly #identity: string;

  constructor(kit: GitKit, params: Params<'worktree.create'>, repository: Repository, path: string, windowId: string) {
    this.#kit = kit;
    this.#params = params;
    this.#repository = repository;
    this.#path = path;
    this.#windowId = windowId;
    this.#identity = worktreeIdentity(repository.commonDir, params.branch, path);
  }

  async run(ctx: HandlerContext): Promise<Created> {
    await this.#finishEarlier(ctx.signal);
    const plan = await planCreate(this.#repository, this.#params, this.#path, ctx.signal);
    const { operations } = this.#kit.changes;
    const shown = plan.does === 'nothing' ? await this.#shown(ctx) : undefined;
    const recovered = await operations.takeNote(this.#identity);
    if (shown !== undefined) return { ...this.#result(shown, false), recovered };
    const operation = await operations.begin({
      kind: CREATE,
      repo: this.#repository.commonDir,
      identity: this.#identity,
      facts: this.#facts(plan),
    });
    const made = await create(this.#kit, operation, plan, ctx);
    const { setup, warnings } = made;
    return { ...this.#result(made.shown, plan.does !== 'nothing'), setup, warnings: [...warnings], recovered };
  }

  /** What could not be recovered yet is what this request asks for: now its caller hears why not. */
  async #finishEarlier(signal: AbortSignal): Promise<void> {
    const { operations } = this.#kit.changes;
    for (const operation of operations.unfinished(this.#repository.commonDir)) {
      if (operation.identity === this.#identity) await recoverCreation(this.#kit, operation, signal);
    }
  }

  async #shown(ctx: HandlerContext): Promise<Shown | undefined> {
    return (await placesOf(this.#kit.bus, onBehalfOf(ctx), this.#windowId)).at(this.#path);
  }

  #result(shown: Shown, created: boolean) {
    const worktree = { path: this.#path, branch: this.#params.branch, repo: this.#repository.top };
    return { worktree, ...shownIn(shown), created, setup: setupSkipped, warnings: [] };
  }

  #facts(plan: CreatePlan): CreateFacts {
    const { branch, layout = null, title = branch, setup = true } = this.#params;
    return {
      top: this.#repository.top,
      commonDir: this.#repository.commonDir,
      path: this.#path,
      branch,
      start: plan.does === 'branch' ? plan.start : null,
      existed: plan.does === 'nothing',
      layout,
      title,
      windowId: this.#windowId,
      setup: setup && plan.does !== 'nothing',
    };
  }
}

async function checkLayout({ bus }: GitKit, name: string, ctx: HandlerContext): Promise<void> {
  const { layouts } = await bus.call('layout.list', {}, onBehalfOf(ctx));
  if (layouts.some((layout) => layout.name === name)) return;
  fail('layout_not_found', `There is no layout ${name}.`, { layout: name });
}
