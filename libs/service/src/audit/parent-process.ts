import { readFileSync } from 'node:fs';
import koffi from 'koffi';

type Reader = (pid: number) => number | undefined;

/** The process that started another, or took it over; undefined when there is no such process, or the system does not tell. */
export function parentOf(pid: number): number | undefined {
  reader ??= readerFor(process.platform);
  return reader(pid);
}

let reader: Reader | undefined;

function readerFor(platform: NodeJS.Platform): Reader {
  if (platform === 'linux') return parentInProc;
  if (platform === 'darwin') return darwinReader();
  return () => undefined;
}

/** Of /proc/PID/stat after the name of the process, which may hold blanks and parentheses (proc(5)). */
const PARENT = 1;

function parentInProc(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[PARENT]);
    return Number.isInteger(parent) ? parent : undefined;
  } catch {
    return undefined; // It has ended.
  }
}

type GetInfo = (pid: number, flavor: number, arg: bigint, buffer: Buffer, size: number) => number;

/** libproc of macOS: the fifth word of `struct proc_bsdinfo` is the parent. */
function darwinReader(): Reader {
  const [PROC_PIDTBSDINFO, SIZE, PARENT_OFFSET] = [3, 136, 16];
  const getInfo = koffi
    .load(null)
    .func('int proc_pidinfo(int, int, uint64_t, _Out_ uint8_t *, int)') as unknown as GetInfo;
  return (pid) => {
    const info = Buffer.alloc(SIZE);
    return getInfo(pid, PROC_PIDTBSDINFO, 0n, info, SIZE) === SIZE ? info.readUInt32LE(PARENT_OFFSET) : undefined;
  };
}
