import type { SentMail } from '@coinslot/contract';
import { useState } from 'react';
import { addressOf } from '../../../kit/address.ts';
import type { AnswerOf } from '../../../kit/api.ts';
import { formatLanguage } from '../../../kit/format.ts';
import { useCurrentGame } from '../../../kit/session.ts';
import { isDark } from '../../../kit/theme.ts';
import { useRead } from '../../../kit/use-read.ts';
import { language, t } from '../../../texts/texts.ts';
import { SelectField } from '../../../ui/field.tsx';
import { Bar, ReadProblem } from '../../../ui/loading.tsx';
import { Segments } from '../../../ui/segments.tsx';

type Mails = AnswerOf<'GET /dashboard/api/companies/{company_id}/mails'>['data'];

const GROUPS = [
  ['players', /^receipt$/],
  ['alerts', /^(attention|digest|exhausted|disabled|evidence|connection)$/],
  ['account', /./],
] as const;

const groupOf = (mail: SentMail) => GROUPS.find(([, names]) => names.test(mail))![0];

/** The member's own language, where the mail is sent in it. */
const languageFor = (languages: readonly string[], wanted: string): string =>
  languages.includes(wanted) ? wanted : (languages.find(one => one === language) ?? 'en');

interface ChoiceProps {
  mails: Mails;
  mail: SentMail;
  setMail(mail: SentMail): void;
  locale: string;
  setLocale(locale: string): void;
}

function Choice({ mails, mail, setMail, locale, setLocale }: ChoiceProps) {
  const languages = mails.find(one => one.mail === mail)?.languages ?? [];
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <SelectField label={t('mails.which')} value={mail} onChange={({ target }) => setMail(target.value as SentMail)}>
        {(['players', 'account', 'alerts'] as const).map(group => (
          <optgroup key={group} label={t(`mails.group.${group}`)}>
            {mails
              .filter(one => groupOf(one.mail) === group)
              .map(one => (
                <option key={one.mail} value={one.mail}>
                  {t(`mails.kind.${one.mail}`)}
                </option>
              ))}
          </optgroup>
        ))}
      </SelectField>
      <SelectField label={t('mails.language')} value={locale} onChange={({ target }) => setLocale(target.value)}>
        {languages.map(one => (
          <option key={one} value={one}>
            {formatLanguage(language, one)}
          </option>
        ))}
      </SelectField>
    </div>
  );
}

/** Every mail that is sent, in each of its languages and in both themes, as its reader gets it. */
export function MailPreview({ version }: { version: string }) {
  const { company_id, game } = useCurrentGame();
  const [mail, setMail] = useState<SentMail>('receipt');
  const [wanted, setWanted] = useState<string>(language);
  const [theme, setTheme] = useState<'light' | 'dark'>(isDark() ? 'dark' : 'light');
  const params = { company_id };
  const mails = useRead('GET /dashboard/api/companies/{company_id}/mails', { params });
  if (mails.isError) return <ReadProblem error={mails.error} retry={() => void mails.refetch()} />;
  if (!mails.data) return <Bar className="w-full" />;
  const list = mails.data.data;
  const locale = languageFor(list.find(one => one.mail === mail)?.languages ?? [], wanted);
  const query = { mail, locale, theme, game_id: game.id };
  const src = addressOf('/dashboard/api/companies/{company_id}/mails/preview', { params, query });
  return (
    <section aria-label={t('receipts.preview')} className="grid min-w-0 content-start gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="font-semibold">{t('receipts.preview')}</h2>
        <Segments<'light' | 'dark'>
          label={t('appearance.theme')}
          choices={[
            ['light', t('theme.light')],
            ['dark', t('theme.dark')],
          ]}
          value={theme}
          onChange={setTheme}
        />
      </div>
      <Choice mails={list} mail={mail} setMail={setMail} locale={locale} setLocale={setWanted} />
      <iframe
        key={version}
        title={t('receipts.preview')}
        src={src}
        sandbox=""
        className="h-[680px] w-full rounded-lg border border-line"
      />
      <p className="text-12 text-soft">{t('mails.looks')}</p>
    </section>
  );
}
