import { loadConfig } from '../settings/config.ts';
import { defineCommand } from './command.ts';
import { connectTo } from './open.ts';

export const migrateCommand = defineCommand({
  name: 'migrate',
  summary: 'Brings the schema of the database up to date.',
  open: work => work({}),
  async run({ write }) {
    const database = await connectTo(loadConfig(), true);
    await database.stop();
    write('The database is up to date.');
    return 0;
  },
});
