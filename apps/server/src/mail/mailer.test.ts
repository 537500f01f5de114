import { type Certificate, createAuthority } from '@coinslot/testing/certificates';
import { type SmtpReceiver, type SmtpReceiverOptions, smtpReceiver } from '@coinslot/testing/smtp-receiver';
import { afterEach, describe, expect, it } from 'vitest';
import { createMailer, type Mailer, MailRefused, type OutgoingMail } from './mailer.ts';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const made of open.splice(0).toReversed()) await made.close();
});

async function receiver(options?: SmtpReceiverOptions): Promise<SmtpReceiver> {
  const made = await smtpReceiver(options);
  open.push(made);
  return made;
}

function mailer(
  smtpUrl: string,
  changes: { from?: string; ca?: string; allowPlain?: boolean; clientPem?: string | undefined } = {},
): Mailer {
  const made = createMailer({ smtpUrl, from: 'Coinslot <no-reply@shop.test>', ...changes });
  open.push(made);
  return made;
}

const mail = (changes: Partial<OutgoingMail> = {}): OutgoingMail => ({
  id: 'mail_1',
  recipient: 'player@example.com',
  subject: 'Your receipt',
  text: 'Thank you\n',
  html: '<p>Thank you</p>',
  ...changes,
});

describe('a mail', () => {
  it('arrives with both forms, the sender and a Message-ID that its id decides', async () => {
    const server = await receiver();
    await mailer(server.url).send(mail());
    const [got] = server.mails;
    expect(got).toMatchObject({
      from: { name: 'Coinslot', address: 'no-reply@shop.test' },
      to: [{ address: 'player@example.com' }],
      recipients: ['player@example.com'],
      subject: 'Your receipt',
      messageId: '<mail_1@shop.test>',
    });
    expect(got?.text?.trim()).toBe('Thank you');
    expect(got?.html).toContain('<p>Thank you</p>');
    expect(got?.headers).toContainEqual(expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }));
  });

  it('keeps text of every script in subject and body', async () => {
    const server = await receiver();
    const text = 'Квитанция 領収書 إيصال 🎮 ñ';
    await mailer(server.url).send(mail({ subject: text, text, html: `<p>${text}</p>` }));
    expect(server.mails[0]?.subject).toBe(text);
    expect(server.mails[0]?.text?.trim()).toBe(text);
    expect(server.mails[0]?.html).toContain(text);
  });

  it('cannot be given another header or recipient through its subject, sender or address', async () => {
    const server = await receiver();
    const evil = '\r\nBcc: victim@example.com\r\nX-Evil: 1\r\n\r\nbody';
    await mailer(server.url, { from: `Shop${evil} <a@shop.test>` }).send(mail({ subject: `Hello${evil}` }));
    const [got] = server.mails;
    expect(got?.recipients).toEqual(['player@example.com']);
    expect(got?.bcc).toBeUndefined();
    expect(got?.headers.map(({ key }) => key)).not.toContain('x-evil');
    await mailer(server.url)
      .send(mail({ recipient: `player@example.com${evil}` }))
      .catch(() => {});
    for (const { recipients } of server.mails) expect(recipients).not.toContain('victim@example.com');
  });

  it('a list in the address stays one recipient or is refused', async () => {
    const server = await receiver();
    const sending = mailer(server.url).send(mail({ recipient: 'a@example.com, b@example.com' }));
    await sending.catch(() => {});
    for (const { recipients } of server.mails) expect(recipients.length).toBe(1);
  });

  it('reaches an address in another script: the domain by punycode, the name by SMTPUTF8', async () => {
    const server = await receiver();
    await mailer(server.url).send(mail({ recipient: 'player@müller.example' }));
    await mailer(server.url).send(mail({ recipient: 'jörg@example.com' }));
    const [byDomain, byName] = server.mails;
    expect(byDomain?.raw).toContain('To: player@xn--mller-kva.example');
    expect(byName?.recipients).toEqual(['jörg@example.com']);
  });
});

describe('the mail server', () => {
  it('saying no to the recipient for good is final; everything else is worth another try', async () => {
    const server = await receiver();
    const out = mailer(server.url);
    server.refuseNext('RCPT TO', 550, 451);
    await expect(out.send(mail())).rejects.toThrow(MailRefused);
    const later = await out.send(mail()).catch((error: unknown) => error);
    expect(later).toBeInstanceOf(Error);
    expect(later).not.toBeInstanceOf(MailRefused);
    server.refuseNext('DATA', 554);
    expect(await out.send(mail()).catch((error: unknown) => error)).not.toBeInstanceOf(MailRefused);
    await out.send(mail());
    expect(server.mails).toHaveLength(1);
  });

  it('being down is worth another try', async () => {
    const server = await receiver();
    await server.close();
    const failure = await mailer(server.url)
      .send(mail())
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(failure).not.toBeInstanceOf(MailRefused);
  });

  const authority = createAuthority();
  const certificate = authority.issue(['127.0.0.1']);

  it.each([true, false])('is spoken to over TLS (from the first byte: %s), with name and password', async secure => {
    const server = await receiver({ secure, certificate, login: { user: 'shop', pass: 'p%40ss' } });
    await expect(mailer(server.url, { ca: authority.ca }).send(mail())).rejects.toThrow('535');
    const right = await receiver({ secure, certificate, login: { user: 'shop', pass: 'pass' } });
    await mailer(right.url, { ca: authority.ca }).send(mail());
    expect(right.mails[0]?.isEncrypted).toBe(true);
  });

  it.each([true, false])('with an untrusted certificate gets nothing (from the first byte: %s)', async secure => {
    const server = await receiver({ secure, certificate, login: { user: 'shop', pass: 'pass' } });
    await expect(mailer(server.url).send(mail())).rejects.toThrow(/self.signed|certificate|issuer/i);
    expect(server.mails).toEqual([]);
  });

  it.each([true, false])('takes a certificate in place of a password (from the first byte: %s)', async secure => {
    const clients = createAuthority('Clients');
    const server = await receiver({ secure, certificate, clientAuthority: clients.ca });
    const pemOf = ({ cert, key }: Certificate): string => `${cert}\n${key}`;
    const send = (clientPem?: string): Promise<void> =>
      mailer(server.url, { ca: authority.ca, clientPem }).send(mail());
    await send(pemOf(clients.issue(['shop.test'])));
    expect(server.mails).toMatchObject([{ isEncrypted: true }]);
    await expect(send(pemOf(createAuthority('Others').issue(['shop.test'])))).rejects.toThrow();
    const plain = await receiver();
    await expect(mailer(plain.url, { clientPem: pemOf(certificate) }).send(mail())).rejects.toThrow(/TLS/);
    expect([...server.mails, ...plain.mails]).toHaveLength(1);
  });

  it('on this machine, without a password, needs no certificate that others vouch for', async () => {
    const server = await receiver({ certificate });
    await mailer(server.url).send(mail());
    expect(server.mails).toMatchObject([{ isEncrypted: false }]);
  });

  it('on another machine gets nothing without TLS, unless that is allowed; never a password', async () => {
    // Led to this machine by an address that is not one of its own.
    const elsewhere = (url: string): string => url.replace('127.0.0.1', '0.0.0.0');
    const server = await receiver();
    await expect(mailer(elsewhere(server.url)).send(mail())).rejects.toThrow(/STARTTLS|TLS/);
    expect(server.mails).toEqual([]);
    await mailer(elsewhere(server.url), { allowPlain: true }).send(mail());
    expect(server.mails).toMatchObject([{ isEncrypted: false }]);
    const asked = await receiver({ login: { user: 'shop', pass: 'pass' } });
    await expect(mailer(elsewhere(asked.url), { allowPlain: true }).send(mail())).rejects.toThrow(/STARTTLS|TLS/);
    expect(asked.mails).toEqual([]);
  });

  it('must be an SMTP server', () => {
    expect(() => createMailer({ smtpUrl: 'https://mail.example.com', from: 'a@b.c' })).toThrow('SMTP_URL');
  });
});
