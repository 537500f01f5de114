import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import type { Certificate } from './certificates.ts';

export interface ReceivedMail extends Email {
  /** From the envelope, not from a header. */
  recipients: string[];
  isEncrypted: boolean;
  raw: string;
}

export interface SmtpReceiver {
  port: number;
  url: string;
  mails: ReceivedMail[];
  /** The next mails are refused with these codes, one each, at the named command. */
  refuseNext(command: 'RCPT TO' | 'DATA', ...codes: number[]): void;
  close(): Promise<void>;
}

export interface SmtpReceiverOptions {
  port?: number;
  /** TLS from the first byte. */
  secure?: boolean;
  /** Without one it offers no STARTTLS. */
  certificate?: Certificate;
  /** Only clients with a certificate of this authority are taken. */
  clientAuthority?: string;
  login?: { user: string; pass: string };
}

const refusal = (responseCode: number): Error => Object.assign(new Error('refused by the test'), { responseCode });

/** A real SMTP server that reads what it gets and can be told to misbehave. */
export async function smtpReceiver(options: SmtpReceiverOptions = {}): Promise<SmtpReceiver> {
  const { secure = false, certificate, clientAuthority, login, port = 0 } = options;
  const mails: ReceivedMail[] = [];
  const refusals: { command: string; code: number }[] = [];
  const takeRefusal = (command: string): number | undefined => {
    const at = refusals.findIndex(waiting => waiting.command === command);
    return at < 0 ? undefined : refusals.splice(at, 1)[0]?.code;
  };
  const server = new SMTPServer({
    secure,
    closeTimeout: 50,
    ...certificate,
    ...(clientAuthority && { ca: clientAuthority, requestCert: true, rejectUnauthorized: true }),
    disabledCommands: certificate ? [] : ['STARTTLS'],
    authOptional: login === undefined,
    onAuth: ({ username, password }, _, done) =>
      username === login?.user && password === login?.pass ? done(null, { user: username }) : done(refusal(535)),
    onRcptTo(_, __, done) {
      const code = takeRefusal('RCPT TO');
      done(code === undefined ? null : refusal(code));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const code = takeRefusal('DATA');
        if (code !== undefined) return done(refusal(code));
        const raw = Buffer.concat(chunks);
        const recipients = session.envelope.rcptTo.map(({ address }) => address);
        const { secure: isEncrypted } = session;
        PostalMime.parse(raw).then(
          email => done(mails.push({ ...email, recipients, isEncrypted, raw: raw.toString() }) > 0 ? null : undefined),
          done,
        );
      });
    },
  });
  server.on('error', () => {});
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve));
  const taken = (server.server.address() as AddressInfo).port;
  return {
    port: taken,
    url: `${secure ? 'smtps' : 'smtp'}://${login ? `${login.user}:${login.pass}@` : ''}127.0.0.1:${taken}`,
    mails,
    refuseNext: (command, ...codes) => refusals.push(...codes.map(code => ({ command, code }))),
    close: () => new Promise<void>(resolve => server.close(() => resolve())),
  };
}
