import { Check as Tick } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';

const PANEL =
  'rise z-40 min-w-48 rounded-md bg-raised p-1 shadow-float max-h-(--radix-dropdown-menu-content-available-height) overflow-y-auto';
const ENTRY =
  'flex min-h-9 items-center gap-2 rounded-sm px-3 py-1.5 outline-none data-highlighted:bg-sunk data-disabled:opacity-60 cursor-pointer touch-44';

interface MenuProps {
  trigger: ReactNode;
  children: ReactNode;
  align?: 'start' | 'end';
}

/** Not modal: a modal one would write a style element into the page, which the policy forbids. */
export const Menu = ({ trigger, children, align = 'end' }: MenuProps) => (
  <DropdownMenu.Root modal={false}>
    <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
    <DropdownMenu.Portal>
      <DropdownMenu.Content align={align} sideOffset={4} collisionPadding={8} className={PANEL}>
        {children}
      </DropdownMenu.Content>
    </DropdownMenu.Portal>
  </DropdownMenu.Root>
);

interface MenuItemProps {
  children: ReactNode;
  icon?: ReactNode;
  danger?: boolean;
  disabled?: boolean;
  onSelect(): void;
}

export const MenuItem = ({ children, icon, danger = false, disabled = false, onSelect }: MenuItemProps) => (
  <DropdownMenu.Item disabled={disabled} onSelect={onSelect} className={`${ENTRY} ${danger ? 'text-bad' : ''}`}>
    {icon && <span className="text-soft">{icon}</span>}
    {children}
  </DropdownMenu.Item>
);

interface MenuChoiceProps {
  children: ReactNode;
  chosen: boolean;
  onSelect(): void;
  /** Stays open, for choosing several. */
  stay?: boolean;
}

export const MenuChoice = ({ children, chosen, onSelect, stay = false }: MenuChoiceProps) => (
  <DropdownMenu.CheckboxItem
    checked={chosen}
    onSelect={event => {
      if (stay) event.preventDefault();
      onSelect();
    }}
    className={`${ENTRY} justify-between`}
  >
    <span className="flex min-w-0 items-center gap-2">{children}</span>
    <Tick size={16} aria-hidden className={chosen ? 'text-ink' : 'invisible'} />
  </DropdownMenu.CheckboxItem>
);

export const MenuLine = () => <DropdownMenu.Separator className="my-1 h-px bg-line" />;

export const MenuTitle = ({ children }: { children: ReactNode }) => (
  <DropdownMenu.Label className="px-3 pt-2 pb-1 text-12 text-faint">{children}</DropdownMenu.Label>
);
