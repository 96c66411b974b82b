// The connection to a game: says who we are, comes back by itself after every loss, and tells how it stands.

import { ApiError, getJson } from '../api/http';
import type { ClientMessage, ServerMessage } from '../api/types';

export type Connection =
  | { state: 'connecting' }
  | { state: 'open' }
  /** Lost, and trying again. */
  | { state: 'lost' }
  /** Refused for good: no such game, or not our secret. */
  | { state: 'closed'; why: string };

const PING_MS = 20_000;
const SILENCE_MS = 45_000;
const FIRST_RETRY_MS = 300;
const LAST_RETRY_MS = 5_000;
/** The close code with which the server refuses a secret. */
const POLICY_VIOLATION = 1008;

export class GameSocket {
  private socket: WebSocket | null = null;
  private retry = FIRST_RETRY_MS;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private pinger: ReturnType<typeof setInterval> | undefined;
  private heardAt = 0;
  private welcomed = false;
  private ended = false;

  constructor(
    private readonly id: string,
    private readonly token: string,
    private readonly heard: (message: ServerMessage) => void,
    private readonly changed: (connection: Connection) => void,
  ) {
    window.addEventListener('online', this.now);
    this.connect();
  }

  /** False when there is no connection; what matters is sent again after the next welcome. */
  send(message: ClientMessage): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN || !this.welcomed) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  close(): void {
    this.ended = true;
    clearTimeout(this.timer);
    clearInterval(this.pinger);
    window.removeEventListener('online', this.now);
    this.socket?.close();
  }

  private readonly now = (): void => {
    if (this.socket || this.ended) return;
    clearTimeout(this.timer);
    this.connect();
  };

  private connect(): void {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${location.host}/api/games/${encodeURIComponent(this.id)}/socket`);
    this.socket = socket;
    this.welcomed = false;
    this.heardAt = Date.now();
    socket.onopen = () => {
      socket.send(JSON.stringify({ type: 'hello', token: this.token } satisfies ClientMessage));
      clearInterval(this.pinger);
      this.pinger = setInterval(() => {
        if (Date.now() - this.heardAt > SILENCE_MS) socket.close();
        else this.send({ type: 'ping' });
      }, PING_MS);
    };
    socket.onmessage = ({ data }) => this.receive(String(data));
    socket.onclose = ({ code, reason }) => {
      clearInterval(this.pinger);
      this.socket = null;
      if (this.ended) return;
      if (code === POLICY_VIOLATION) this.giveUp(reason || 'The server refused this connection.');
      else void this.lost();
    };
  }

  private receive(data: string): void {
    this.heardAt = Date.now();
    let message: ServerMessage;
    try {
      message = JSON.parse(data) as ServerMessage;
    } catch {
      return;
    }
    if (message.type === 'state') {
      this.welcomed = true;
      this.retry = FIRST_RETRY_MS;
      this.changed({ state: 'open' });
    }
    this.heard(message);
  }

  /** A socket cannot say why it was not opened, so ask for the game's public facts. */
  private async lost(): Promise<void> {
    this.changed({ state: 'lost' });
    if (!this.welcomed) {
      try {
        await getJson(`/api/games/${encodeURIComponent(this.id)}`);
      } catch (error) {
        if (error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429) {
          this.giveUp(error.message);
          return;
        }
      }
    }
    if (this.ended) return;
    this.timer = setTimeout(() => this.connect(), this.retry);
    this.retry = Math.min(LAST_RETRY_MS, this.retry * 1.7);
  }

  private giveUp(why: string): void {
    if (this.ended) return;
    this.close();
    this.changed({ state: 'closed', why });
  }
}
