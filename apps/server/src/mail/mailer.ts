import type { Transporter } from 'nodemailer';
import { oneLine } from './mail-content.ts';

export interface OutgoingMail {
  /** Becomes the Message-ID, the same at every attempt: a mail that arrives twice can be recognized. */
  id: string;
  recipient: string;
  subject: string;
  text: string;
  html: string;
  /** Replaces the name in `from`. The address stays, because the service may send from no other. */
  senderName?: string | null;
  replyTo?: string | null;
}

export interface Mailer {
  /** Resolves when the server has accepted the mail. Throws `MailRefused` when another attempt is of no use. */
  send(mail: OutgoingMail): Promise<void>;
  /** Throws when the server cannot be reached or refuses the credentials. Sends nothing. */
  check(): Promise<void>;
  close(): void;
}

/** The recipient's server does not take mail for this address, now or later. */
export class MailRefused extends Error {}

export interface MailerOptions {
  smtpUrl: string;
  /** `Name <address>` or an address. */
  from: string;
  /** A server on another machine may take mails without TLS, but never a password. */
  allowPlain?: boolean;
  /** The certificate and key with which the program proves itself, as PEM one behind the other. */
  clientPem?: string | undefined;
  /** Certificate authorities to trust instead of the system's. */
  ca?: string;
}

const CONNECT_MS = 10_000;
const SILENCE_MS = 20_000;
const CONNECTIONS = 4;
const DEFAULT_PORT = { 'smtp:': 587, 'smtps:': 465 } as const;

const isLoopback = (host: string): boolean => host === 'localhost' || host === '[::1]' || host.startsWith('127.');

function serverOf(smtpUrl: string, allowPlain: boolean, clientPem: string | undefined) {
  const url = new URL(smtpUrl);
  if (url.protocol !== 'smtp:' && url.protocol !== 'smtps:')
    throw new Error('SMTP_URL must begin with smtp:// or smtps://');
  const auth = url.username
    ? { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) }
    : undefined;
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port ? Number(url.port) : DEFAULT_PORT[url.protocol],
    secure: url.protocol === 'smtps:',
    // Neither a password nor a mail crosses a network in the clear, even if an attacker on the way hides STARTTLS.
    requireTLS:
      url.protocol === 'smtp:' &&
      (clientPem !== undefined || (!isLoopback(url.hostname) && !(allowPlain && auth === undefined))),
    // A relay on this machine has a self-signed certificate, and no network lies between.
    ignoreTLS: auth === undefined && clientPem === undefined && isLoopback(url.hostname),
    auth,
  };
}

const addressOf = (from: string): string => /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from.trim();

const domainOf = (from: string): string => /@([^\s<>@]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';

function isFinal(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'EENVELOPE') return false;
  const response = 'responseCode' in error ? error.responseCode : undefined;
  const command = 'command' in error ? error.command : undefined;
  // A refused sender or a closed relay can be fixed by the operator; only a refused recipient is final.
  return typeof response === 'number' ? response >= 500 && command === 'RCPT TO' : true;
}

export function createMailer({ smtpUrl, from, ca, clientPem, allowPlain = false }: MailerOptions): Mailer {
  const options = {
    ...serverOf(smtpUrl, allowPlain, clientPem),
    tls: { ...(ca !== undefined && { ca }), ...(clientPem !== undefined && { cert: clientPem, key: clientPem }) },
    pool: true as const,
    maxConnections: CONNECTIONS,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  let transport: Transporter | undefined;
  // Loaded with the first mail, so that a shop without a mail server does not hold the library in memory.
  const open = async (): Promise<Transporter> => {
    const { createTransport } = await import('nodemailer');
    transport ??= createTransport(options);
    return transport;
  };
  return {
    async send({ id, recipient, subject, text, html, senderName, replyTo }) {
      const message = {
        messageId: `<${id}@${domainOf(from)}>`,
        from: senderName ? { name: oneLine(senderName), address: addressOf(from) } : oneLine(from),
        ...(replyTo && { replyTo: { name: '', address: oneLine(replyTo) } }),
        to: { name: '', address: recipient },
        subject: oneLine(subject),
        text,
        html,
        headers: { 'Auto-Submitted': 'auto-generated' },
      };
      try {
        await (await open()).sendMail(message);
      } catch (error) {
        throw isFinal(error) ? new MailRefused((error as Error).message, { cause: error }) : error;
      }
    },
    async check() {
      await (await open()).verify();
    },
    close: () => transport?.close(),
  };
}
