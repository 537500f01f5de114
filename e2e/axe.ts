import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const OPTIONS = {
  all: "{ resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } }",
  colors: "{ resultTypes: ['violations'], runOnly: ['color-contrast'] }",
  /** What can be different on the same markup in another width. */
  layout:
    "{ resultTypes: ['violations'], runOnly: ['color-contrast', 'target-size'], rules: { 'target-size': { enabled: true } } }",
};

/** What axe finds wrong with the page as it is now, with the markup it is about. */
export async function violations(page: Page, what: keyof typeof OPTIONS = 'all'): Promise<unknown> {
  if (!(await page.evaluate('Boolean(window.axe)'))) await page.evaluate(AXE);
  return page.evaluate(`axe.run(document, ${OPTIONS[what]}).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map(node => node.html).join(' | ')))`);
}
