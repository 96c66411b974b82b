// A game as a page uses it: its model, its connection, and what the player can ask for.

import { useEffect, useReducer, useRef, useState } from 'preact/hooks';
import type { Attempt, ClientMessage, ServerMessage } from '../api/types';
import { emptyModel, reduce, type GameModel, type Pending } from './model';
import { GameSocket, type Connection } from './socket';

export interface GameHandle {
  model: GameModel;
  connection: Connection;
  tryAttempt(attempt: Attempt): void;
  ask(): void;
  resign(): void;
  rematch(): void;
  offerDraw(): void;
  takeBack(): void;
}

/** Joins a game; `heard` is called once for every message, after the model knows it. */
export function useGame(id: string, token: string, heard: (message: ServerMessage) => void): GameHandle {
  const [model, dispatch] = useReducer(reduce, emptyModel);
  const [connection, setConnection] = useState<Connection>({ state: 'connecting' });
  const socket = useRef<GameSocket | null>(null);
  const listener = useRef(heard);
  listener.current = heard;

  useEffect(() => {
    const joined = new GameSocket(
      id,
      token,
      (message) => {
        dispatch({ type: 'message', message, at: performance.now() });
        listener.current(message);
      },
      setConnection,
    );
    socket.current = joined;
    return () => joined.close();
  }, [id, token]);

  // What was not answered before the connection broke is sent again; the server ignores it if it had arrived.
  const { pending } = model;
  useEffect(() => {
    if (connection.state === 'open' && pending) socket.current?.send(messageOf(pending));
  }, [connection.state, pending]);

  const seen = model.events.length;
  return {
    model,
    connection,
    tryAttempt: (attempt) => dispatch({ type: 'sent', pending: { attempt, seen } }),
    ask: () => dispatch({ type: 'sent', pending: { ask: true, seen } }),
    resign: () => void socket.current?.send({ type: 'resign' }),
    rematch: () => void socket.current?.send({ type: 'rematch' }),
    offerDraw: () => void socket.current?.send({ type: 'draw' }),
    takeBack: () => void socket.current?.send({ type: 'takeback', seen }),
  };
}

const messageOf = (pending: Pending): ClientMessage =>
  'attempt' in pending ? { type: 'try', attempt: pending.attempt, seen: pending.seen } : { type: 'ask', seen: pending.seen };
