import { dashboardEndpoints as calls } from '@coinslot/contract';
import { answerDispute, saveEvidence } from '../../../domain/purchase/member-actions/answer-dispute.ts';
import { readDispute } from '../../../domain/reporting/disputes/read-dispute.ts';
import type { DashboardDeps } from '../dashboard-context.ts';
import type { DashboardMount } from '../define-route.ts';

export function mountDisputes(mount: DashboardMount, { db, purchasing }: DashboardDeps): void {
  mount(calls.getDispute, (context, { params }) => readDispute(db, context, params.payment_id));

  mount(calls.saveEvidence, async (context, { params, body }) => {
    const given = { paymentId: params.payment_id, evidence: body };
    await saveEvidence(purchasing, context.actor, context.environment, given);
    return readDispute(db, context, params.payment_id);
  });

  mount(calls.answerDispute, async (context, { params, body }) => {
    const given = { paymentId: params.payment_id, evidence: body };
    await answerDispute(purchasing, context.actor, context.environment, given);
    return readDispute(db, context, params.payment_id);
  });
}
