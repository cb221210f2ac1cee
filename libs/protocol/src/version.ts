/**
 * Version of the contract, not of the software. The second number rises when something is added, the first when
 * something is removed, renamed or changes its type or meaning.
 */
export const CONTRACT_VERSION = '1.0';

/** What a client of the peer looks for: the envelope is the peer's second version. */
export const PROTOCOL = 'cmux-socket';
export const PROTOCOL_VERSION = 2;
