// An OpenID provider for tests, in a process of its own. `PUT /test/users/{login}` says who a user is from then on.
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

const [redirectUri] = process.argv.slice(2);
const users = new Map();

const server = createServer();
await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
const issuer = `http://127.0.0.1:${server.address().port}`;

const provider = new Provider(issuer, {
  clients: [
    {
      client_id: 'coinslot',
      client_secret: 'a secret of the client',
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
  ],
  claims: { openid: ['sub', 'auth_time'], email: ['email', 'email_verified'], groups: ['groups'], profile: ['name'] },
  scopes: ['openid', 'email', 'profile', 'groups', 'offline_access'],
  issueRefreshToken: () => true,
  // A refresh token works once, and one that comes a second time ends the whole grant.
  rotateRefreshToken: () => true,
  findAccount: (_context, login) => {
    const user = users.get(login);
    return user && { accountId: login, claims: () => ({ sub: login, ...user }) };
  },
  cookies: { keys: ['a key of the test'] },
  // Every user has agreed before.
  async loadExistingGrant({ oidc }) {
    const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
    grant.addOIDCScope(oidc.params.scope);
    await grant.save();
    return grant;
  },
});

server.on('request', (request, response) => {
  const login = /^\/test\/users\/(?<login>[^/]+)$/.exec(request.url)?.groups.login;
  if (login === undefined) {
    void provider.callback()(request, response);
    return;
  }
  let text = '';
  request.setEncoding('utf8').on('data', part => (text += part));
  request.on('end', () => {
    users.set(decodeURIComponent(login), JSON.parse(text));
    response.writeHead(204).end();
  });
});

process.stdout.write(`${JSON.stringify({ issuer })}\n`);
