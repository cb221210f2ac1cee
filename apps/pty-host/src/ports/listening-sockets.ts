/** A TCP socket that listens. */
export interface ListeningSocket {
  readonly inode: string;
  readonly port: number;
  readonly address: string;
}

/** Columns of /proc/net/tcp (proc_net(5)). */
const COLUMN = { local: 1, state: 3, inode: 9 } as const;
const LISTEN = '0A';

/** @param table text of /proc/net/tcp or /proc/net/tcp6 */
export function listeningSockets(table: string): ListeningSocket[] {
  return table.split('\n').flatMap((line) => {
    const columns = line.trim().split(/\s+/);
    const [address = '', port = ''] = (columns[COLUMN.local] ?? '').split(':');
    const inode = columns[COLUMN.inode];
    if (columns[COLUMN.state] !== LISTEN || inode === undefined) return [];
    return [{ inode, port: Number.parseInt(port, 16), address: addressOf(address) }];
  });
}

/** In words of four bytes, each with its bytes turned round, as x86 and ARM have them. */
function addressOf(hex: string): string {
  const bytes = [...(hex.match(/.{8}/g) ?? [])].flatMap((word) => [...Buffer.from(word, 'hex')].reverse());
  if (bytes.length === 4) return bytes.join('.');
  const groups = Array.from({ length: bytes.length / 2 }, (_, i) =>
    ((bytes[2 * i] ?? 0) * 256 + (bytes[2 * i + 1] ?? 0)).toString(16),
  );
  // The shortest spelling is a rule of its own, which URLs follow.
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}
