import { CircleAlert } from 'lucide-react';
import { Component, type ReactNode } from 'react';
import { t } from '../texts/texts.ts';
import { Button } from './button.tsx';

interface PartState {
  hasFailed: boolean;
}

/** A part of a page, such as a chart or a panel, that fails alone and can be tried again, so that the page stays. */
export class Part extends Component<{ children: ReactNode }, PartState> {
  override state: PartState = { hasFailed: false };

  static getDerivedStateFromError(): PartState {
    return { hasFailed: true };
  }

  override componentDidCatch(error: unknown): void {
    console.error(error);
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <div role="status" className="flex flex-wrap items-center gap-3 rounded-md bg-warn-wash px-4 py-3 text-warn">
        <CircleAlert size={16} aria-hidden className="shrink-0" />
        <span className="min-w-0 flex-1">{t('part.failed')}</span>
        <Button size="small" onClick={() => this.setState({ hasFailed: false })}>
          {t('problem.again')}
        </Button>
      </div>
    );
  }
}
