import type { AttentionItem } from '@coinslot/contract';
import { TriangleAlert } from 'lucide-react';
import { Notice } from '../../ui/page.tsx';

interface PurchaseProblemProps {
  problem: string | null;
  needs: readonly AttentionItem[];
}

/** Shows a problem that needs no action. One that does is shown by `AttentionPanel`. */
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
