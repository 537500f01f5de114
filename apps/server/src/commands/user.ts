import { endSessions, type HelpShop, replaceFactors } from '../domain/user/help-user.ts';
import { loadConfig } from '../settings/config.ts';
import { defineCommand, UsageError } from './command.ts';
import { withDb } from './open.ts';

const SHORTEST_PROOF = 10;

/** Serves an operator who helps a user of the dashboard. */
export const userCommand = defineCommand<HelpShop, { proof?: string }>({
  name: 'user <action> <email>',
  summary: 'Ends the sessions of a user of the dashboard, or replaces lost second factors.',
  more: `user end-sessions …       signs the user out everywhere
user replace-factors …    for a user who has lost passkeys, app and recovery codes: removes them and the
                          password, and mails a link to the address of the account; owners are notified`,
  options: command =>
    command.option('--proof <text>', 'how you made sure who asks, for the audit log: what, when, by whom'),
  async open(work) {
    const config = loadConfig();
    return withDb(config, db => work({ db, publicUrl: config.publicUrl }));
  },
  async run(shop, [action, email = ''], { proof = '' }) {
    if (action === 'end-sessions') {
      await endSessions(shop, email);
      shop.write(`${email} is signed out everywhere.`);
      return 0;
    }
    if (action !== 'replace-factors') throw new UsageError('The action is end-sessions or replace-factors.');
    if (proof.trim().length < SHORTEST_PROOF)
      throw new UsageError(`Say how you made sure who asks: --proof, with ${SHORTEST_PROOF} characters at least.`);
    await replaceFactors(shop, email, proof.trim());
    shop.write(`A link to set a new password goes to ${email}. It works once, for 24 hours.`);
    return 0;
  },
});
