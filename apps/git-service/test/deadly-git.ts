import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What happens at the n-th git that changes something; those that only look are not counted. */
export interface DeadlyPoint {
  /**
   * `orphan`: the service is killed and git goes on. `both`: git dies with it, before it has done anything. `after`: the
   * service is killed when git is done. `amid`: a script is run in the place of git, and the service is killed.
   */
  readonly at: 'orphan' | 'both' | 'after' | 'amid';
  readonly n: number;
}

/** Stands in the PATH of a service and kills its parent, once, where it is told to. */
export class DeadlyGit {
  readonly #dir: string;

  /** @param dir of the kit: `bin` and `kill` in it */
  constructor(dir: string) {
    this.#dir = dir;
    const kill = join(dir, 'kill');
    const script = `#!/bin/sh
PATH="\${PATH#*:}"
if [ -z "$SWITCHYARD_GIT_OPERATION" ]; then exec git "$@"; fi
n=$(($(cat ${kill}/changes 2>/dev/null || echo 0) + 1))
echo $n > ${kill}/changes
point=$(cat ${kill}/point 2>/dev/null)
[ "\${point#* }" = $n ] && rm ${kill}/point || point=
case "$point" in
  orphan*) kill -9 $PPID ;;
  both*) kill -9 $PPID; exit 1 ;;
  amid*) kill -9 $PPID; . ${kill}/amid; exit 1 ;;
esac
git "$@"
code=$?
case "$point" in after*) kill -9 $PPID ;; esac
exit $code
`;
    writeFileSync(join(dir, 'bin', 'git'), script);
    chmodSync(join(dir, 'bin', 'git'), 0o755);
  }

  /** @param amid shell commands; they see the arguments of git */
  arm({ at, n }: DeadlyPoint, amid = ''): void {
    rmSync(join(this.#dir, 'kill', 'changes'), { force: true });
    writeFileSync(join(this.#dir, 'kill', 'amid'), amid);
    writeFileSync(join(this.#dir, 'kill', 'point'), `${at} ${n}`);
  }

  /** @returns how many changes there were since it was armed */
  disarm(): number {
    rmSync(join(this.#dir, 'kill', 'point'), { force: true });
    try {
      return Number(readFileSync(join(this.#dir, 'kill', 'changes'), 'utf8'));
    } catch {
      // Nothing was changed.
      return 0;
    }
  }
}
