// `npm run coinslot -- …`: the command line for game developers, and the one command that proves a provider, which is the operator's.
const isOperators = process.argv[2] === 'provider';
await import(isOperators ? '../apps/server/dist/main.js' : '../packages/cli/dist/main.js');
