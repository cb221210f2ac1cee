import type { Socket } from 'node:net';
import koffi from 'koffi';

/** Whom the system names as the other end of a unix socket. */
export interface PeerCredentials {
  readonly uid: number;
  readonly pid: number;
}

type Reader = (fd: number) => PeerCredentials | undefined;

/** The process that opened a connection; undefined where the system does not tell. */
export function peerCredentials(socket: Socket): PeerCredentials | undefined {
  const fd = (socket as { readonly _handle?: { readonly fd?: number } | null })._handle?.fd;
  if (fd === undefined || fd < 0) return undefined;
  reader ??= readerFor(process.platform);
  return reader(fd);
}

let reader: Reader | undefined;

function readerFor(platform: NodeJS.Platform): Reader {
  if (platform === 'linux') return linuxReader();
  if (platform === 'darwin') return darwinReader();
  return () => undefined;
}

type GetOption = (fd: number, level: number, name: number, value: Buffer, length: number[]) => number;

const getOption = (): GetOption =>
  koffi.load(null).func('int getsockopt(int, int, int, _Out_ uint8_t *, _Inout_ uint32_t *)') as GetOption;

/** socket(7), SO_PEERCRED: `struct ucred { pid_t pid; uid_t uid; gid_t gid; }`. */
function linuxReader(): Reader {
  const [SOL_SOCKET, SO_PEERCRED, SIZE] = [1, 17, 12];
  const getsockopt = getOption();
  return (fd) => {
    const ucred = Buffer.alloc(SIZE);
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, ucred, [SIZE]) !== 0) return undefined;
    return { pid: ucred.readInt32LE(0), uid: ucred.readUInt32LE(4) };
  };
}

/** unix(4) of macOS: LOCAL_PEERPID is a pid_t; LOCAL_PEERCRED is a `struct xucred`, whose second word is the uid. */
function darwinReader(): Reader {
  const [SOL_LOCAL, LOCAL_PEERCRED, LOCAL_PEERPID] = [0, 1, 2];
  const [XUCRED_SIZE, PID_SIZE] = [76, 4];
  const getsockopt = getOption();
  return (fd) => {
    const xucred = Buffer.alloc(XUCRED_SIZE);
    const pid = Buffer.alloc(PID_SIZE);
    const known =
      getsockopt(fd, SOL_LOCAL, LOCAL_PEERCRED, xucred, [XUCRED_SIZE]) === 0 &&
      getsockopt(fd, SOL_LOCAL, LOCAL_PEERPID, pid, [PID_SIZE]) === 0;
    return known ? { pid: pid.readInt32LE(0), uid: xucred.readUInt32LE(4) } : undefined;
  };
}
