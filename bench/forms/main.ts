import { openLab } from '../lab.ts';
import { measureForms } from './measure-forms.ts';

/** `npm run bench -- forms`: what one step of an order costs by the form in which its rows go to the database. */
const lab = await openLab([]);
try {
  await lab.register(lab.databaseUrl);
  const costs = await measureForms(lab.databaseUrl, 5);
  const lines = costs.map(
    ({ form, together, node, postgres }) =>
      `| ${form} | ${together} | ${node.toFixed(0)} µs | ${postgres.toFixed(0)} µs |`,
  );
  process.stdout.write(
    ['| form | orders together | Node for one | PostgreSQL for one |', '|---|---|---|---|', ...lines, ''].join('\n'),
  );
} finally {
  await lab.close();
}
