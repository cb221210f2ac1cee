export { type CallOptions, type Client, type ConnectOptions, connectClient, type PushedEvent } from './client.js';
export { connectReconnecting, type ReconnectingClient } from './reconnecting-client.js';
