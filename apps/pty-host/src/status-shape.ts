import type { ProgramVoice, SaidAt, StatusRecord, StatusRecords } from '@switchyard/agents';
import type { Result } from '@switchyard/protocol';

type Shape = Result<'terminal.status_records'>;

const PROGRESS = ['none', 'value', 'error', 'busy', 'paused'] as const;

/** What programs said, as the contract has it. Texts are as they were sent. */
export function statusShape({ records, evidence }: ProgramVoice): Shape {
  return {
    records: records.all.map((record) => recordShape(record, records)),
    said: evidence.map((said) => ({ kind: said.kind, text: textOf(said), at: said.at })),
  };
}

export function recordShape(record: StatusRecord, records: StatusRecords): Shape['records'][number] {
  return { ...record, app: records.appOf(record) };
}

function textOf(said: SaidAt): string {
  switch (said.kind) {
    case 'progress':
      return said.value === null ? PROGRESS[said.state] : `${PROGRESS[said.state]} ${said.value} %`;
    case 'notification':
      return [said.title, said.body].filter((part) => part !== '').join(': ');
    case 'prompt':
      return said.exit_code === null ? said.mark : `${said.mark} ${said.exit_code}`;
    case 'cwd':
      return said.path;
    case 'clipboard':
      return said.text ?? `${said.bytes} bytes`;
    case 'session':
      return [said.agent, said.state, said.text].filter((part) => part !== null).join(' ');
  }
}
