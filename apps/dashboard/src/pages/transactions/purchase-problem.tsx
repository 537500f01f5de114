import type { AttentionItem } from '@coinslot/contract';
import { TriangleAlert } from 'lucide-react';
import { Notice } from '../../ui/page.tsx';

interface PurchaseProblemProps {
  problem: string | null;
  needs: readonly AttentionItem[];
}

/** What went wrong with a purchase and waits for no one; what does wait says it in its own panel. */
export function PurchaseProblem({ problem, needs }: PurchaseProblemProps) {
  if (problem === null || needs.some(({ attention }) => attention?.detail === problem)) return null;
  return (
    <div className="pb-6">
      <Notice tone="warn" icon={<TriangleAlert size={16} aria-hidden />}>
        {problem}
      </Notice>
    </div>
  );
}
