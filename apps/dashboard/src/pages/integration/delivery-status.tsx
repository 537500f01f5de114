import type { DeliverySummary } from '@coinslot/contract';
import { Status } from '../../ui/status.tsx';

/** An answer that was no yes is news, also while it is tried again by itself. */
export const DeliveryStatus = ({ status, attempts_made }: Pick<DeliverySummary, 'status' | 'attempts_made'>) => (
  <Status kind="delivery" status={status === 'pending' && attempts_made > 0 ? 'retrying' : status} />
);
