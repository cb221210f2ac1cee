import type { Run } from '../command.js';
import type { Finding } from '../doctor/check.js';
import { checkNativeModules, checkNode, checkSpawnHelper } from '../doctor/installation.js';
import { checkOtherYards } from '../doctor/leftovers.js';
import { checkDisks, checkLogs } from '../doctor/resources.js';
import { checkRunning, checkRuntimeDir, checkSettings } from '../doctor/yard.js';
import { cleanText } from '../domain/clean-text.js';
import { EXIT } from '../domain/exit-codes.js';
import type { Output } from '../output.js';

export const doctor: Run = async ({ out, paths, env }) => {
  const findings = [
    checkNode(),
    ...(await checkNativeModules()),
    checkSpawnHelper(),
    ...checkSettings(paths, env),
    ...checkRuntimeDir(paths),
    ...checkDisks(paths),
    checkLogs(paths),
    ...(await checkRunning(paths, env)),
    checkOtherYards(paths, env),
  ];
  const faults = findings.filter(({ level }) => level === 'fault').length;
  out.result({ faults, findings }, () => [
    ...findings.flatMap((finding) => lines(out, finding)),
    '',
    faults === 0 ? 'Nothing is wrong.' : `${faults} of ${findings.length} checks failed.`,
  ]);
  return faults === 0 ? EXIT.ok : EXIT.refused;
};

function lines(out: Output, { what, level, detail, remedy }: Finding): string[] {
  const mark = {
    ok: out.paint('green', 'ok   '),
    hint: out.paint('yellow', 'hint '),
    fault: out.paint('red', 'FAULT'),
  };
  const line = `${mark[level]} ${what}: ${cleanText(detail)}`;
  return remedy === undefined ? [line] : [line, `      → ${remedy}`];
}
