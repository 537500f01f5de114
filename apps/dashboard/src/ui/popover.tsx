import { Popover } from 'radix-ui';
import { type ReactNode, useState } from 'react';

interface PanelProps {
  trigger: ReactNode;
  label: string;
  align?: 'start' | 'end';
  children(close: () => void): ReactNode;
}

export function Panel({ trigger, label, align = 'start', children }: PanelProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger asChild>{trigger}</Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          aria-label={label}
          className="rise z-40 max-h-(--radix-popover-content-available-height) w-72 max-w-[calc(100vw-16px)] overflow-y-auto rounded-md bg-raised p-4 shadow-float outline-none"
        >
          {children(() => setOpen(false))}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
