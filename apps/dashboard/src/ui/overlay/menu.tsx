import { Check as Tick } from 'lucide-react';
import { cloneElement, createContext, type KeyboardEvent, type ReactElement, type ReactNode, useContext } from 'react';
import { stepIndex } from '../step-index.ts';
import { type Trigger, useFloating } from './use-floating.ts';

const PANEL = 'fixed inset-auto m-0 min-w-48 overflow-y-auto rounded-md bg-raised p-1 text-ink shadow-float';
const ENTRY =
  'flex min-h-9 w-full items-center gap-2 rounded-sm px-3 py-1.5 text-start outline-none hover:bg-sunk focus:bg-sunk disabled:opacity-60 touch-44';
const ITEMS = '[role^=menuitem]:not(:disabled)';

const CloseMenu = createContext<() => void>(() => undefined);

function moveFocus(event: KeyboardEvent<HTMLElement>, close: () => void): void {
  if (event.key === 'Tab') close();
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>(ITEMS)];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const next = stepIndex(event.key, at, items.length, 'wrap');
  if (next === undefined) return;
  event.preventDefault();
  items[next]?.focus();
}

interface MenuProps {
  /** Must be a button. */
  trigger: ReactElement;
  children: ReactNode;
  align?: 'start' | 'end';
}

export function Menu({ trigger, children, align = 'end' }: MenuProps) {
  const floating = useFloating(align, ITEMS);
  const { id, isOpen, close } = floating;
  return (
    <>
      {cloneElement(trigger as Trigger, {
        ref: floating.trigger,
        popoverTarget: id,
        'aria-haspopup': 'menu',
        'aria-expanded': isOpen,
      })}
      <div
        ref={floating.panel}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        onBeforeToggle={floating.onBeforeToggle}
        onToggle={floating.onToggle}
        onKeyDown={event => moveFocus(event, close)}
        className={PANEL}
      >
        {isOpen && <CloseMenu value={close}>{children}</CloseMenu>}
      </div>
    </>
  );
}

interface MenuItemProps {
  children: ReactNode;
  icon?: ReactNode;
  disabled?: boolean;
  onSelect(): void;
}

export function MenuItem({ children, icon, disabled = false, onSelect }: MenuItemProps) {
  const close = useContext(CloseMenu);
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      disabled={disabled}
      className={ENTRY}
      onClick={() => {
        close();
        onSelect();
      }}
    >
      {icon && <span className="text-soft">{icon}</span>}
      {children}
    </button>
  );
}

interface MenuChoiceProps {
  children: ReactNode;
  chosen: boolean;
  onSelect(): void;
  /** Keeps the menu open, for choosing several. */
  stay?: boolean;
}

export function MenuChoice({ children, chosen, onSelect, stay = false }: MenuChoiceProps) {
  const close = useContext(CloseMenu);
  return (
    <button
      type="button"
      role="menuitemcheckbox"
      aria-checked={chosen}
      tabIndex={-1}
      className={`${ENTRY} justify-between`}
      onClick={() => {
        if (!stay) close();
        onSelect();
      }}
    >
      <span className="flex min-w-0 items-center gap-2">{children}</span>
      <Tick size={16} aria-hidden className={chosen ? 'text-ink' : 'invisible'} />
    </button>
  );
}

export const MenuLine = () => <hr className="my-1 border-line" />;

export const MenuTitle = ({ children }: { children: ReactNode }) => (
  <p role="presentation" className="px-3 pt-2 pb-1 text-12 text-faint">
    {children}
  </p>
);
