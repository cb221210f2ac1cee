import type { JournalData, Params, Result } from '@switchyard/protocol';

/** The words of the contract that the notifier works with. */
export type Row = Result<'notification.list'>['notifications'][number];
export type Reason = Row['reason'];
export type Suppressed = Row['suppressed'];
export type Action = Row['action'];
export type Level = Result<'notification.rules'>['default'];
export type Delivery = Result<'notification.deliveries'>['deliveries'][number];
export type AdapterName = Delivery['adapter'];
export type Place = Result<'notification.place'>;
export type Signal = Params<'notification.hear'>['signals'][number];
export type AgentChange = JournalData<'agent.state_changed'>;
export type Exit = JournalData<'surface.exited'>['exit'];
