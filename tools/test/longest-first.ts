import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Begun first, so that none of them runs alone at the end while the other workers have nothing left. */
const LONGEST = [
  'e2e/release/guides.test.ts',
  'e2e/release/every-crash.test.ts',
  'e2e/release/upgrade/upgrade.test.ts',
  'e2e/release/release-command.test.ts',
  'e2e/release/more-histories.test.ts',
  'e2e/nothing-is-lost/crash-one-program.test.ts',
  'e2e/model/model.test.ts',
  'e2e/dashboard/every-page.test.ts',
  'e2e/nothing-is-lost/faults.test.ts',
  'e2e/release/page-gallery.test.ts',
  'e2e/release/languages/language-packages.test.ts',
  'packages/cli/src/init/init.test.ts',
  'e2e/release/receivers.test.ts',
  'e2e/release/server-package.test.ts',
  'e2e/operations.test.ts',
  'e2e/nothing-is-lost/keys.test.ts',
  'e2e/pay-in-browser.test.ts',
  'e2e/interface.test.ts',
  'e2e/live/live-page.test.ts',
  'e2e/strangers.test.ts',
  'e2e/nothing-is-lost/connections.test.ts',
  'e2e/dashboard/people.test.ts',
  'e2e/dashboard/integration.test.ts',
  'e2e/dashboard/attention.test.ts',
  'e2e/dashboard/lists.test.ts',
  'e2e/page-states.test.ts',
  'e2e/release/docs.test.ts',
  'apps/server/src/db/every-wait-ends.test.ts',
  'packages/cli/src/exam/exam.test.ts',
  'apps/server/src/db/migrate.test.ts',
  'apps/server/src/doors/s2s/listen.test.ts',
  '/first-plans.test.ts',
  'tools/regexes/regexes.test.ts',
  'apps/server/src/db/embedded/start-embedded.test.ts',
  'apps/server/src/doors/dashboard/shop/home.test.ts',
  'apps/server/src/doors/checkout/leave-for-provider.test.ts',
  'apps/server/src/domain/purchase/engine/deliver-item.test.ts',
  'apps/server/src/doors/dashboard/sign-in.test.ts',
];

const placeOf = ({ moduleId }: TestSpecification): number => {
  const place = LONGEST.findIndex(file => moduleId.endsWith(file));
  return place < 0 ? LONGEST.length : place;
};

/** A worker keeps what it has loaded for the next file of the same project, so the projects come one after the other. */
const projectOf = ({ project }: TestSpecification): number => ['release', 'e2e', 'server'].indexOf(project.name);

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => projectOf(a) - projectOf(b) || placeOf(a) - placeOf(b));
  }
}
