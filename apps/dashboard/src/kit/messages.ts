import { problemText } from './problems.ts';

/** A short message after an action, which a toast shows. */
export interface Message {
  id: number;
  tone: 'good' | 'bad';
  text: string;
  undo?: () => void;
}

const SHOWN_MS = { good: 6_000, bad: 12_000 } as const;
const MAX_SHOWN = 3;

let messages: readonly Message[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function replace(next: readonly Message[]): void {
  messages = next;
  for (const listener of listeners) listener();
}

function add(message: Omit<Message, 'id'>): void {
  const id = ++lastId;
  replace([...messages.slice(1 - MAX_SHOWN), { ...message, id }]);
  setTimeout(() => dropMessage(id), SHOWN_MS[message.tone]);
}

export const currentMessages = (): readonly Message[] => messages;

export function onMessages(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export const dropMessage = (id: number): void => replace(messages.filter(one => one.id !== id));

/** Messages are cleared at sign-out, because the next member at this browser must not read them. */
export const clearMessages = (): void => replace([]);

/** Says what was done, in the past tense, with an undo button where that is possible. */
export const notifyDone = (text: string, undo?: () => void): void => add({ tone: 'good', text, ...(undo && { undo }) });

/** For an error that belongs to no form field. */
export const notifyProblem = (error: unknown): void => add({ tone: 'bad', text: problemText(error) });
