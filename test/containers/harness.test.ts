import { waitFor } from '@switchyard/testing';
import { expect, it } from 'vitest';
import { CLI, SWITCHYARD } from './support/container.js';
import { describeContainers } from './support/ground.js';
import { useNetwork } from './support/network.js';

const idle = ['sleep', 'infinity'];

describeContainers('what container tests stand on', () => {
  const network = useNetwork();

  it('is a machine that has our programs, compiled, with the native parts they need', async () => {
    const one = await network().startContainer({ name: 'one', command: idle });
    expect(await one.exec('node', CLI, '--version')).toMatchObject({ code: 0 });
    const natives = ['node-pty', 'koffi', '@photostructure/sqlite'].map(
      (name) => `require('${SWITCHYARD}/node_modules/${name}')`,
    );
    expect(await one.exec('node', '-e', natives.join(';'))).toEqual({ code: 0, output: '' });
    const programs = ['nats-server', 'git', 'sshd', 'ip', 'ps', 'python3'];
    expect(await one.exec('which', ...programs)).toMatchObject({ code: 0 });
  });

  it('has machines that know each other by name, keep files over a kill, and can be cut off', async () => {
    const [a, b] = [
      await network().startContainer({ name: 'a', command: idle, files: { '/note': 'kept' } }),
      await network().startContainer({ name: 'b', command: idle }),
    ];
    // A name is looked up, and the port answers that nobody listens there: the machine is reached.
    const reach = async () => (await b.exec('bash', '-c', 'timeout 2 bash -c "</dev/tcp/a/9" 2>&1')).output;
    expect(await reach()).toContain('refused');
    await a.kill();
    await a.start();
    expect(await a.exec('cat', '/note')).toEqual({ code: 0, output: 'kept' });
    await network().disconnect(a);
    expect(await reach()).not.toContain('refused');
    await network().connect(a);
    await waitFor('it is reached again', async () => (await reach()).includes('refused'));
    expect((await a.exec('hostname', '-i')).output).toContain(a.address);
  });
});
