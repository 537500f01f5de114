import { type Endpoint, exampleBody } from '@coinslot/contract';

const sameInShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** With `$order_id` and the like for what the caller knows. */
const variables = ({ path }: Endpoint): string => path.replace(/\{(\w+)\}/g, '$$$1');

/** The call as a shell command. */
export function exampleCommand(call: Endpoint, target = variables(call)): string {
  const body = exampleBody(call);
  const url = `http://localhost:4242${target}`;
  const method = call.method === 'GET' || (call.method === 'POST' && body) ? '' : `-X ${call.method} `;
  const quoted = /[$&?]/.test(url) ? `"${url}"` : url;
  const lines = [`curl -sS ${method}${quoted}`, '  -H "Authorization: Bearer $S2S_KEY"'];
  if (body) lines[1] += " -H 'Content-Type: application/json'";
  if (body) lines.push(`  -d ${sameInShell(JSON.stringify(body))}`);
  return lines.join(' \\\n');
}
