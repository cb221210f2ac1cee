import { describe, expect, it } from 'vitest';
import { listeningSockets } from './listening-sockets.js';
import { parseLsof, ttysOf } from './lsof-ports.js';
import { foundPorts } from './port-source.js';

const HEADING = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n';
const row = (local: string, state: string, inode: number) =>
  `   0: ${local} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000  1000        0 ${inode} 1 0000 100 0\n`;

describe('the sockets that listen', () => {
  it('are read from /proc, and those that are connected are left out', () => {
    const table =
      HEADING + row('0100007F:0BB8', '0A', 11) + row('00000000:1435', '0A', 12) + row('0100007F:0BB9', '01', 13);
    expect(listeningSockets(table)).toEqual([
      { inode: '11', port: 3000, address: '127.0.0.1' },
      { inode: '12', port: 5173, address: '0.0.0.0' },
    ]);
  });

  it('have addresses of IPv6 in their shortest spelling', () => {
    const addresses = ['0'.repeat(32), '00000000000000000000000001000000', 'B80D0120000000000000000001000000'];
    const table = HEADING + addresses.map((address, i) => row(`${address}:0050`, '0A', i)).join('');
    expect(listeningSockets(table).map(({ address }) => address)).toEqual(['::', '::1', '2001:db8::1']);
  });

  it('are nothing in a table that is none', () => {
    for (const table of ['', '\n\n', 'what is this', HEADING]) expect(listeningSockets(table)).toEqual([]);
  });

  it('are read from what lsof and ps say', () => {
    const text = 'p501\ncnode\nf21\nn*:3000\nf22\nn[::1]:5173\np502\ncpostgres\nf5\nn127.0.0.1:5432\n';
    expect(parseLsof(text)).toEqual([
      { pid: 501, process: 'node', port: 3000, address: '0.0.0.0' },
      { pid: 501, process: 'node', port: 5173, address: '::1' },
      { pid: 502, process: 'postgres', port: 5432, address: '127.0.0.1' },
    ]);
    expect(parseLsof('')).toEqual([]);
    expect(ttysOf('  501 ttys003\n  502 ??\n')).toEqual(
      new Map([
        [501, 'ttys003'],
        [502, '??'],
      ]),
    );
  });
});

describe('the ports of terminals', () => {
  it('are sorted, each once with all its addresses', () => {
    const listener = { surfaceId: 'A', pid: 7, process: 'node' };
    const found = foundPorts([
      { ...listener, port: 5173, address: '::1' },
      { ...listener, port: 80, address: '0.0.0.0' },
      { ...listener, port: 5173, address: '127.0.0.1' },
      { ...listener, port: 5173, address: '127.0.0.1', pid: 8 },
      { ...listener, surfaceId: 'B', port: 5173, address: '::' },
    ]);
    expect(found.get('A')).toEqual([
      { port: 80, addresses: ['0.0.0.0'], pid: 7, process: 'node' },
      { port: 5173, addresses: ['127.0.0.1', '::1'], pid: 7, process: 'node' },
    ]);
    expect(found.get('B')).toHaveLength(1);
  });

  it('have a bound', () => {
    const many = Array.from({ length: 1000 }, (_, i) => ({
      ...{ surfaceId: 'A', pid: 7, process: 'node', address: '::' },
      port: i + 1,
    }));
    expect(foundPorts(many).get('A')).toHaveLength(128);
  });
});
