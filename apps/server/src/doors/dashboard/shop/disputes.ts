import { dashboardEndpoints as calls } from '@coinslot/contract';
import { acceptDispute } from '../../../domain/purchase/member-actions/accept-dispute.ts';
import { addEvidenceFile, removeEvidenceFile } from '../../../domain/purchase/member-actions/add-evidence-file.ts';
import { answerDispute, saveEvidence } from '../../../domain/purchase/member-actions/answer-dispute.ts';
import { previewEvidence, readDispute, readDisputes } from '../../../domain/reporting/disputes/read-dispute.ts';
import type { DashboardMount, DashboardShop } from '../define-route.ts';

const refOf = ({ payment_id: paymentId, dispute_id: disputeId }: { payment_id: string; dispute_id: string }) => ({
  paymentId,
  disputeId,
});

export function mountDisputes(mount: DashboardMount, shop: DashboardShop): void {
  const { purchasing } = shop;
  mount(calls.listDisputes, (context, { params }) => readDisputes(shop, context, params.payment_id));

  mount(calls.saveEvidence, async (context, { params, body }) => {
    const given = { ...refOf(params), evidence: body };
    await saveEvidence(purchasing, context.actor, context.environment, given);
    return readDispute(shop, context, given);
  });

  mount(calls.answerDispute, async (context, { params, body }) => {
    const given = { ...refOf(params), evidence: body };
    await answerDispute(purchasing, context.actor, context.environment, given);
    return readDispute(shop, context, given);
  });

  mount(calls.previewEvidence, ({ environment }, { params, body }) =>
    previewEvidence(shop, environment.id, { ...refOf(params), evidence: body }),
  );

  mount(calls.acceptDispute, async (context, { params }) => {
    await acceptDispute(purchasing, context.actor, context.environment, refOf(params));
    return readDispute(shop, context, refOf(params));
  });

  mount(calls.addEvidenceFile, async (context, { params, query, request }) => {
    const content = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    await addEvidenceFile(purchasing, context.actor, context.environment, { ...refOf(params), ...query, content });
    return readDispute(shop, context, refOf(params));
  });

  mount(calls.removeEvidenceFile, async (context, { params }) => {
    const given = { ...refOf(params), fileId: params.file_id };
    await removeEvidenceFile(purchasing, context.actor, context.environment, given);
    return readDispute(shop, context, refOf(params));
  });
}
