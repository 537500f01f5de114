import { AppError } from '../../../kit/app-error.ts';
import { type Actor, writeAudit } from '../../audit/audit.ts';
import type { Shop } from '../../shop.ts';
import { readMethodSwitches } from './find-method-switches.ts';
import { insertMethodSwitch } from './method-switch.sql.ts';
import { findMethod, type PaymentMethod } from './method-table.ts';
import { isSwitchedOn } from './methods.ts';

export interface SwitchMethod {
  companyId: string;
  method: string;
  enabled: boolean;
}

const NOT_THIS_ONE = {
  pointer: '/enabled',
  code: 'cannot_be_switched_off',
  message: 'Cards, Apple Pay, Google Pay and PayPal cannot be switched off.',
} as const;

/** For all games of the company. Pages know within seconds; a payment that has begun goes on. */
export async function switchMethod({ db }: Shop, actor: Actor, input: SwitchMethod): Promise<PaymentMethod> {
  const { companyId, enabled } = input;
  const method = findMethod(input.method);
  if (!method) throw new AppError('not_found');
  if (!method.canSwitchOff && !enabled) throw new AppError('validation_failed', { issues: [NOT_THIS_ONE] });
  return db.transaction(async tx => {
    const before = isSwitchedOn(method, await readMethodSwitches(tx, companyId));
    if (before === enabled) return method;
    insertMethodSwitch(tx, companyId, method.id, enabled);
    writeAudit(tx, actor, {
      companyId,
      kind: 'payment_method.switched',
      objectId: method.id,
      before: { enabled: before },
      after: { enabled },
    });
    return method;
  });
}
