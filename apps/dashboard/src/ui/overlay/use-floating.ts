import {
  type ReactElement,
  type RefObject,
  type ToggleEvent,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';

const GAP_PX = 4;
const EDGE_PX = 8;

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Below the trigger, or above it where there is more room; never outside of the window. */
export function placeOf(trigger: Box, panel: Box, room: { width: number; height: number }, align: 'start' | 'end') {
  const wanted = align === 'end' ? trigger.left + trigger.width - panel.width : trigger.left;
  const left = Math.max(EDGE_PX, Math.min(wanted, room.width - panel.width - EDGE_PX));
  const below = trigger.top + trigger.height + GAP_PX;
  const roomBelow = room.height - below - EDGE_PX;
  const roomAbove = trigger.top - GAP_PX - EDGE_PX;
  if (panel.height <= roomBelow || roomBelow >= roomAbove) return { left, top: below, maxHeight: roomBelow };
  return { left, top: Math.max(EDGE_PX, trigger.top - GAP_PX - panel.height), maxHeight: roomAbove };
}

/** A button and the attributes that connect it to its panel. */
export type Trigger = ReactElement<{
  ref?: unknown;
  popoverTarget?: string;
  'aria-haspopup'?: 'menu' | 'dialog';
  'aria-expanded'?: boolean;
}>;

interface Floating {
  id: string;
  isOpen: boolean;
  trigger: RefObject<HTMLButtonElement | null>;
  panel: RefObject<HTMLDivElement | null>;
  close(): void;
  onBeforeToggle(event: ToggleEvent): void;
  onToggle(event: ToggleEvent): void;
}

/** The browser's own popover closes on Escape and on a click outside; only its position is ours. */
export function useFloating(align: 'start' | 'end', firstFocus: string): Floating {
  const id = useId();
  const trigger = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const place = useCallback(() => {
    if (!trigger.current || !panel.current) return;
    const { style } = panel.current;
    style.maxHeight = '';
    const room = { width: document.documentElement.clientWidth, height: window.innerHeight };
    const at = placeOf(trigger.current.getBoundingClientRect(), panel.current.getBoundingClientRect(), room, align);
    style.left = `${at.left}px`;
    style.top = `${at.top}px`;
    style.maxHeight = `${at.maxHeight}px`;
  }, [align]);
  // After every render, because a choice inside may move the button.
  useEffect(() => {
    if (isOpen) place();
  });
  useEffect(() => {
    if (!isOpen) return;
    window.addEventListener('scroll', place, { passive: true });
    window.addEventListener('resize', place);
    return () => {
      window.removeEventListener('scroll', place);
      window.removeEventListener('resize', place);
    };
  }, [isOpen, place]);
  return {
    id,
    isOpen,
    trigger,
    panel,
    close: () => panel.current?.hidePopover(),
    // The content exists only while the panel is open, and must be rendered before it shows.
    onBeforeToggle: ({ newState }) => {
      if (newState === 'open') flushSync(() => setOpen(true));
    },
    onToggle: ({ newState }) => {
      if (newState === 'closed') setOpen(false);
      else panel.current?.querySelector<HTMLElement>(firstFocus)?.focus();
    },
  };
}
