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

/** Places the panel below the trigger, or above it if there is more space, and always inside the window. */
export function panelPosition(
  trigger: Box,
  panel: Box,
  viewport: { width: number; height: number },
  align: 'start' | 'end',
) {
  const wanted = align === 'end' ? trigger.left + trigger.width - panel.width : trigger.left;
  const left = Math.max(EDGE_PX, Math.min(wanted, viewport.width - panel.width - EDGE_PX));
  const below = trigger.top + trigger.height + GAP_PX;
  const spaceBelow = viewport.height - below - EDGE_PX;
  const spaceAbove = trigger.top - GAP_PX - EDGE_PX;
  if (panel.height <= spaceBelow || spaceBelow >= spaceAbove) return { left, top: below, maxHeight: spaceBelow };
  return { left, top: Math.max(EDGE_PX, trigger.top - GAP_PX - panel.height), maxHeight: spaceAbove };
}

/** A button with the attributes that connect it to its panel. */
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

/** The browser's own popover closes on Escape and on a click outside. Only its position is computed here. */
export function useFloating(align: 'start' | 'end', firstFocus: string): Floating {
  const id = useId();
  const trigger = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const position = useCallback(() => {
    if (!trigger.current || !panel.current) return;
    const { style } = panel.current;
    style.maxHeight = '';
    const viewport = { width: document.documentElement.clientWidth, height: window.innerHeight };
    const at = panelPosition(
      trigger.current.getBoundingClientRect(),
      panel.current.getBoundingClientRect(),
      viewport,
      align,
    );
    style.left = `${at.left}px`;
    style.top = `${at.top}px`;
    style.maxHeight = `${at.maxHeight}px`;
  }, [align]);
  // Runs after every render, because a choice inside the panel may move the trigger.
  useEffect(() => {
    if (isOpen) position();
  });
  useEffect(() => {
    if (!isOpen) return;
    window.addEventListener('scroll', position, { passive: true });
    window.addEventListener('resize', position);
    return () => {
      window.removeEventListener('scroll', position);
      window.removeEventListener('resize', position);
    };
  }, [isOpen, position]);
  return {
    id,
    isOpen,
    trigger,
    panel,
    close: () => panel.current?.hidePopover(),
    // The content exists only while the panel is open and must be rendered before it is measured.
    onBeforeToggle: ({ newState }) => {
      if (newState === 'open') flushSync(() => setOpen(true));
    },
    onToggle: ({ newState }) => {
      if (newState === 'closed') setOpen(false);
      else panel.current?.querySelector<HTMLElement>(firstFocus)?.focus();
    },
  };
}
