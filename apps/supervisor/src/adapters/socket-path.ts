/** What unix sockets allow: 107 bytes on Linux, 103 on macOS. The smaller, so that a configuration works on both. */
const LONGEST_SOCKET_PATH = 103;

/** @throws Error that names the limit, before anything is started */
export function refuseLongSocketPath(path: string): void {
  const bytes = Buffer.byteLength(path);
  if (bytes <= LONGEST_SOCKET_PATH) return;
  throw new Error(
    `the socket path ${path} has ${bytes} bytes; systems allow ${LONGEST_SOCKET_PATH}: choose a shorter --socket`,
  );
}
