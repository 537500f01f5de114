import { type Endpoint, exampleBody } from '@coinslot/contract';

const sameInShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The call as a shell command, with `$order_id` and the like for what the caller knows. */
export function exampleCommand(call: Endpoint): string {
  const body = exampleBody(call);
  const url = `http://localhost:4242${call.path.replace(/\{(\w+)\}/g, '$$$1')}`;
  const method = call.method === 'GET' || (call.method === 'POST' && body) ? '' : `-X ${call.method} `;
  const quoted = url.includes('$') ? `"${url}"` : url;
  const lines = [`curl -sS ${method}${quoted}`, '  -H "Authorization: Bearer $S2S_KEY"'];
  if (body) lines[1] += " -H 'Content-Type: application/json'";
  if (body) lines.push(`  -d ${sameInShell(JSON.stringify(body))}`);
  return lines.join(' \\\n');
}
