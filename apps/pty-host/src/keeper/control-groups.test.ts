import { expect, it } from 'vitest';
import { ownGroup } from './control-groups.js';

const line = (root: string, point: string) => `41 31 0:38 ${root} ${point} rw,relatime - cgroup2 cgroup2 rw`;

it('finds the own group in the one hierarchy, in a mixed one, and in a container that sees a part', () => {
  expect(ownGroup(line('/', '/sys/fs/cgroup'), '0::/user.slice/a.scope\n')).toBe('/sys/fs/cgroup/user.slice/a.scope');
  const mixed = `30 25 0:27 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n${line('/', '/sys/fs/cgroup/unified')}`;
  expect(ownGroup(mixed, '9:name=systemd:/\n0::/\n')).toBe('/sys/fs/cgroup/unified/');
  expect(ownGroup(line('/docker/1', '/sys/fs/cgroup'), '0::/docker/1/x\n')).toBe('/sys/fs/cgroup/x');
});

it('finds none outside of what is mounted, or where there is no second version', () => {
  expect(ownGroup(line('/docker/1', '/sys/fs/cgroup'), '0::/other\n')).toBeUndefined();
  expect(ownGroup('30 25 0:27 / /sys/fs/cgroup rw - cgroup cgroup rw', '0::/\n')).toBeUndefined();
  expect(ownGroup(line('/', '/sys/fs/cgroup'), '3:cpu:/\n')).toBeUndefined();
});
